import type * as z from 'zod/mini';
import type { DeliveryTicket } from '../contract/tickets.ts';
import { ServiceFault } from '../domain/fault.ts';
import { hasExpired } from '../domain/session.ts';
import { second } from '../domain/time.ts';
import { eventBusName, queueUrl, tableNames } from '../environment.ts';
import { logFault, logInfo } from '../log.ts';
import { publisher } from '../messages/event-bus.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { dueDeliveries, getDelivery, type DeliveryKey } from '../store/deliveries.ts';
import { takeDue, type DueRows } from '../store/due-index.ts';
import { getEvent, undispatchedEvents } from '../store/events.ts';
import { dueOutcomes } from '../store/sandbox-debits.ts';
import { dueSessions, requireSession } from '../store/sessions.ts';
import { expireSession } from '../store/transitions.ts';

const database = connect(tableNames('sessions', 'events', 'deliveries', 'sandboxDebits'));
const publish = publisher(eventBusName());
const sendDebits = ticketSender(queueUrl('debits'));
const sendSettlements = ticketSender(queueUrl('settlements'));
const sendDeliveries = ticketSender(queueUrl('deliveries'));

/** How many rows of each shard are taken at a time. */
const limit = 10;
/** How long a run goes on taking rows: the next one starts after a minute. */
const patience = 40 * second;

interface Result {
  readonly done: number;
  readonly failed: number;
}

/** Whatever is due and has not happened by its ticket, once a minute. Does every duty even if others fail; throws afterwards, so that the failure is seen. */
export const handler = async (): Promise<void> => {
  const deadline = Date.now() + patience;
  const results = {
    expiry: work(dueSessions(database, 'expiry'), deadline, ({ sessionId }) => expire(sessionId)),
    debit: work(dueSessions(database, 'debit'), deadline, (ticket) => sendDebits([{ body: ticket }])),
    cancellation: work(dueSessions(database, 'cancellation'), deadline, (ticket) => sendDebits([{ body: ticket }])),
    outcome: work(dueOutcomes(database), deadline, (ticket) => sendSettlements([{ body: ticket }])),
    dispatch: work(undispatchedEvents(database), deadline, ({ eventId }) => republish(eventId)),
    delivery: work(dueDeliveries(database), deadline, retryDelivery),
  };
  let failed = 0;
  for (const [duty, result] of Object.entries(results)) {
    const counts = await result;
    failed += counts.failed;
    logInfo('swept', { duty, ...counts });
  }
  if (failed > 0) throw new ServiceFault(`${failed} due rows failed`);
};

/** Takes due rows and works on them until there are none left or the time is up. A row that fails is logged and left for later. */
async function work<Key extends z.ZodMiniType>(rows: DueRows<Key>, deadline: number, perform: (key: z.output<Key>) => Promise<void>): Promise<Result> {
  let [done, failed] = [0, 0];
  try {
    while (Date.now() < deadline) {
      const keys = await takeDue(database, rows, Date.now(), limit);
      if (keys.length === 0) break;
      const outcomes = await Promise.allSettled(keys.map(perform));
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') done += 1;
        else failed += 1;
        if (outcome.status === 'rejected') logFault('due row failed', outcome.reason, { duty: rows.work });
      }
    }
  } catch (error) {
    failed += 1;
    logFault('sweep failed', error, { duty: rows.work });
  }
  return { done, failed };
}

async function expire(sessionId: string): Promise<void> {
  const session = await requireSession(database, sessionId);
  if (hasExpired(session, Date.now())) await expireSession(database, session);
}

async function republish(eventId: string): Promise<void> {
  const event = await getEvent(database, eventId);
  const [accepted] = event ? await publish([event]) : [true];
  if (!accepted) throw new ServiceFault(`the bus did not accept ${eventId}`);
}

async function retryDelivery(key: DeliveryKey): Promise<void> {
  const delivery = await getDelivery(database, key);
  if (delivery?.status !== 'pending') return;
  const ticket: DeliveryTicket = { eventId: key.eventId, endpointId: key.endpointId, attemptNumber: delivery.attempts + 1 };
  await sendDeliveries([{ body: ticket, groupId: key.endpointId }]);
}
