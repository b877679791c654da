import type * as z from 'zod/mini';
import type { DeliveryTicket } from '../contract/tickets.ts';
import { ServiceFault } from '../domain/fault.ts';
import { hasExpired } from '../domain/session.ts';
import { second } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import type { Publish } from '../messages/event-bus.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { dueDeliveries, getDelivery, type DeliveryKey } from '../store/deliveries.ts';
import { takeDue, type DueRows } from '../store/due-index.ts';
import { getEvent, undispatchedEvents } from '../store/events.ts';
import { dueOutcomes } from '../store/sandbox-debits.ts';
import { dueSessions, requireSession } from '../store/sessions.ts';
import { expireSession } from '../store/transitions.ts';

/** How many rows of each shard are taken at a time. */
const limit = 10;
/** How long a run goes on taking rows: the next one starts after a minute. */
const patience = 40 * second;

export interface SweepTools {
  readonly database: Database<'sessions' | 'events' | 'deliveries' | 'sandboxDebits'>;
  readonly publish: Publish;
  readonly sendDebits: SendTickets;
  readonly sendSettlements: SendTickets;
  readonly sendDeliveries: SendTickets;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface Result {
  readonly done: number;
  readonly failed: number;
}

/** Sees to whatever is due and has not happened by its ticket. Does every duty even if others fail; throws afterwards, so that the failure is seen. */
export async function sweep(tools: SweepTools): Promise<void> {
  const { database, sendDebits, sendSettlements, clock } = tools;
  const deadline = clock() + patience;
  const results = {
    expiry: work(tools, dueSessions(database, 'expiry'), deadline, ({ sessionId }) => expire(tools, sessionId)),
    debit: work(tools, dueSessions(database, 'debit'), deadline, (ticket) => sendDebits([{ body: ticket }])),
    cancellation: work(tools, dueSessions(database, 'cancellation'), deadline, (ticket) => sendDebits([{ body: ticket }])),
    outcome: work(tools, dueOutcomes(database), deadline, (ticket) => sendSettlements([{ body: ticket }])),
    dispatch: work(tools, undispatchedEvents(database), deadline, ({ eventId }) => republish(tools, eventId)),
    delivery: work(tools, dueDeliveries(database), deadline, (key) => retryDelivery(tools, key)),
  };
  let failed = 0;
  for (const [duty, result] of Object.entries(results)) {
    const counts = await result;
    failed += counts.failed;
    logInfo('swept', { duty, ...counts });
  }
  if (failed > 0) throw new ServiceFault(`${failed} due rows failed`);
}

/** Takes due rows and works on them until there are none left or the time is up. A row that fails is logged and left for later. */
async function work<Key extends z.ZodMiniType>(
  { database, clock }: SweepTools,
  rows: DueRows<Key>,
  deadline: number,
  perform: (key: z.output<Key>) => Promise<void>,
): Promise<Result> {
  let [done, failed] = [0, 0];
  try {
    while (clock() < deadline) {
      const keys = await takeDue(database, rows, clock(), limit);
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

async function expire({ database, clock }: SweepTools, sessionId: string): Promise<void> {
  const session = await requireSession(database, sessionId);
  if (hasExpired(session, clock())) await expireSession(database, session);
}

async function republish({ database, publish }: SweepTools, eventId: string): Promise<void> {
  const event = await getEvent(database, eventId);
  const [accepted] = event ? await publish([event]) : [true];
  if (!accepted) throw new ServiceFault(`the bus did not accept ${eventId}`);
}

async function retryDelivery({ database, sendDeliveries }: SweepTools, key: DeliveryKey): Promise<void> {
  const delivery = await getDelivery(database, key);
  if (delivery?.status !== 'pending') return;
  const ticket: DeliveryTicket = { eventId: key.eventId, endpointId: key.endpointId, attemptNumber: delivery.attempts + 1 };
  await sendDeliveries([{ body: ticket, groupId: key.endpointId }]);
}
