import type * as z from 'zod/mini';
import type { DeliveryTicket } from '../contract/tickets.ts';
import type { DueWork } from '../domain/due.ts';
import { Fault } from '../domain/fault.ts';
import { hasExpired } from '../domain/session.ts';
import { second, toIso } from '../domain/time.ts';
import { logError, logFault, logInfo } from '../log.ts';
import type { Publish } from '../messages/event-bus.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { dueDeliveries, getDelivery, type DeliveryKey } from '../store/deliveries.ts';
import { takeDue, type DueRows, type Position, type TakenRows } from '../store/due-index.ts';
import { getEvent, undispatchedEvents } from '../store/events.ts';
import { dueOutcomes } from '../store/sandbox-debits.ts';
import { dueSessions, oldestOpenCancellation, oldestUnsubmittedDebit, requireSession } from '../store/sessions.ts';
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
  readonly duty: DueWork;
  readonly done: number;
  readonly failed: number;
  /** Milliseconds since the oldest row was first due; undefined where the rows could not be read. */
  readonly age: number | undefined;
}

/** Sees to whatever is due and has not happened by its ticket. Does every duty even if others fail; throws afterwards, so that the failure is seen. */
export async function sweep(tools: SweepTools): Promise<void> {
  const { database, sendDebits, sendSettlements, clock } = tools;
  const deadline = clock() + patience;
  const results = {
    expiry: work(tools, dueSessions(database, 'expiry'), deadline, ({ sessionId }) => expire(tools, sessionId)),
    debit: work(tools, dueSessions(database, 'debit'), deadline, (ticket) => sendDebits([{ body: ticket }])),
    cancellation: work(tools, dueSessions(database, 'cancellation'), deadline, (ticket) =>
      sendDebits([{ body: ticket }]),
    ),
    outcome: work(tools, dueOutcomes(database), deadline, (ticket) => sendSettlements([{ body: ticket }])),
    dispatch: work(tools, undispatchedEvents(database), deadline, ({ eventId }) => republish(tools, eventId)),
    delivery: work(tools, dueDeliveries(database), deadline, (key) => retryDelivery(tools, key)),
  };
  let failed = await watch(tools);
  for (const { duty, done, failed: failures, age } of await Promise.all(Object.values(results))) {
    failed += failures;
    logInfo(
      'swept',
      { duty, done, failed: failures },
      age === undefined ? [] : [{ metric: 'SweepAge', value: age / second, by: duty }],
    );
  }
  if (failed > 0) throw new Fault(`${failed} due rows failed`);
}

/** Takes due rows and works on them until every shard is read to its end or the time is up. A row that fails is logged and left for later. */
async function work<Key extends z.ZodMiniType<Readonly<Record<string, string>>>>(
  { database, clock }: SweepTools,
  rows: DueRows<Key>,
  deadline: number,
  perform: (key: z.output<Key>) => Promise<void>,
): Promise<Result> {
  let [done, failed] = [0, 0];
  let age: number | undefined;
  let rest: readonly Position[] | undefined;
  try {
    do {
      const taken: TakenRows<z.output<Key>> = await takeDue(database, rows, clock(), limit, rest);
      const { keys, stuck } = taken;
      rest = taken.rest;
      age = Math.max(age ?? 0, taken.age);
      for (const { key, times } of stuck) logError('due row stuck', { duty: rows.work, ...key, times });
      const outcomes = await Promise.allSettled(keys.map(perform));
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') done += 1;
        else failed += 1;
        if (outcome.status === 'rejected')
          logFault('due row failed', outcome.reason, { duty: rows.work, ...keys[index] });
      }
    } while (rest.length > 0 && clock() < deadline);
  } catch (error) {
    failed += 1;
    logFault('sweep failed', error, { duty: rows.work });
  }
  return { duty: rows.work, done, failed, age };
}

/** Measures how long practices and patients have waited for the processor. Gives the number of faults. */
async function watch({ database, clock }: SweepTools): Promise<number> {
  try {
    const [debit, cancellation] = await Promise.all([
      oldestUnsubmittedDebit(database),
      oldestOpenCancellation(database),
    ]);
    const secondsSince = (time: string | undefined) =>
      time === undefined ? 0 : Math.max(0, clock() - Date.parse(time)) / second;
    logInfo('watched', {}, [
      { metric: 'OldestUnsubmittedDebit', value: secondsSince(debit) },
      { metric: 'OldestOpenCancellation', value: secondsSince(cancellation) },
    ]);
    return 0;
  } catch (error) {
    logFault('watch failed', error);
    return 1;
  }
}

async function expire({ database, clock }: SweepTools, sessionId: string): Promise<void> {
  const session = await requireSession(database, sessionId);
  if (hasExpired(session, clock())) await expireSession(database, session);
}

async function republish({ database, publish }: SweepTools, eventId: string): Promise<void> {
  const event = await getEvent(database, eventId);
  const [accepted] = event ? await publish([event]) : [true];
  if (!accepted) throw new Fault(`the bus did not accept ${eventId}`);
}

async function retryDelivery({ database, sendDeliveries, clock }: SweepTools, key: DeliveryKey): Promise<void> {
  const delivery = await getDelivery(database, key);
  // An attempt that was recorded meanwhile has set a later time.
  if (delivery?.status !== 'pending' || (delivery.nextAttemptAt ?? '') > toIso(clock())) return;
  const ticket: DeliveryTicket = {
    eventId: key.eventId,
    endpointId: key.endpointId,
    attemptNumber: delivery.attempts + 1,
  };
  await sendDeliveries([{ body: ticket, groupId: key.endpointId }]);
}
