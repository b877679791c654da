import type { DeliveryTicket } from '../contract/tickets.ts';
import { hasExpired } from '../domain/session.ts';
import { eventBusName, queueUrl, tableNames } from '../environment.ts';
import { logFault, logger } from '../log.ts';
import { publisher } from '../messages/event-bus.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { getDelivery, listDueDeliveryKeys, postponeSweep, type DeliveryKey } from '../store/deliveries.ts';
import { getEvent, listUndispatchedEventIds } from '../store/events.ts';
import { listDueSandboxDebits } from '../store/sandbox-debits.ts';
import { listDueSessionIds, requireSession } from '../store/sessions.ts';
import { expireSession } from '../store/transitions.ts';

const database = connect(tableNames('sessions', 'events', 'deliveries', 'sandboxDebits'));
const publish = publisher(eventBusName());
const sendDebits = ticketSender(queueUrl('debits'));
const sendSettlements = ticketSender(queueUrl('settlements'));
const sendDeliveries = ticketSender(queueUrl('deliveries'));

/** How many rows of each shard one run takes up; what is left is a minute late. */
const limit = 100;

/** What is done once a minute: everything whose due time has passed without its ticket having done it. */
const duties = { expire, submitDebits, cancelPayments, settleDebits, republish, retryDeliveries };

/** Does every duty even if another fails; throws afterwards, so that the failure is seen. */
export const handler = async (): Promise<void> => {
  const now = Date.now();
  const results = await Promise.all(
    Object.entries(duties).map(async ([duty, perform]) => {
      try {
        return [duty, await perform(now)] as const;
      } catch (error) {
        logFault('sweep failed', error, { duty });
        return [duty, 'failed'] as const;
      }
    }),
  );
  logger.info('swept', Object.fromEntries(results));
  if (results.some(([, count]) => count === 'failed')) throw new Error('a duty of the sweep failed');
};

async function expire(now: number): Promise<number> {
  const ids = await listDueSessionIds(database, 'expiry', now, limit);
  for (const sessionId of ids) {
    const session = await requireSession(database, sessionId);
    if (hasExpired(session, now)) await expireSession(database, session);
  }
  return ids.length;
}

async function submitDebits(now: number): Promise<number> {
  return advance(await listDueSessionIds(database, 'debit', now, limit));
}

async function cancelPayments(now: number): Promise<number> {
  return advance(await listDueSessionIds(database, 'cancellation', now, limit));
}

async function advance(sessionIds: readonly string[]): Promise<number> {
  await sendDebits(sessionIds.map((sessionId) => ({ body: { sessionId } })));
  return sessionIds.length;
}

async function settleDebits(now: number): Promise<number> {
  const ids = await listDueSandboxDebits(database, now, limit);
  await sendSettlements(ids.map((sessionId) => ({ body: { sessionId } })));
  return ids.length;
}

async function republish(now: number): Promise<number> {
  const ids = await listUndispatchedEventIds(database, now, limit);
  const events = await Promise.all(ids.map((eventId) => getEvent(database, eventId)));
  await publish(events.flatMap((event) => (event ? [event] : [])));
  return ids.length;
}

async function retryDeliveries(now: number): Promise<number> {
  const keys = await listDueDeliveryKeys(database, now, limit);
  const tickets = (await Promise.all(keys.map((key) => revive(key, now)))).flatMap((ticket) => (ticket ? [ticket] : []));
  await sendDeliveries(tickets.map((ticket) => ({ body: ticket, groupId: ticket.endpointId })));
  return tickets.length;
}

async function revive(key: DeliveryKey, now: number): Promise<DeliveryTicket | undefined> {
  const delivery = await getDelivery(database, key);
  if (!delivery || !(await postponeSweep(database, delivery, now))) return undefined;
  return { eventId: delivery.eventId, endpointId: delivery.endpointId, attemptNumber: delivery.attempts + 1 };
}
