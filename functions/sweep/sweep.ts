import type * as z from 'zod/mini';
import { batchesOf } from '../domain/collections.ts';
import type { DutyName } from '../domain/due.ts';
import { second, type Clock, toIso } from '../domain/time.ts';
import { logError, logFault, logInfo } from '../log.ts';
import type { SendTickets } from '../messages/queues.ts';
import { postponeDue, type DueRows, type Position, type PostponedRows } from '../store/due-index.ts';
import { Fault } from '../domain/fault.ts';
import { oldestOpenCancellation, oldestUnsubmittedDebit, dueSessions } from '../store/sessions/sessions.ts';
import { ticketOfDelivery, dispatchEvents } from '../webhooks/dispatch.ts';
import type { Publish } from '../messages/webhooks/event-bus.ts';
import type { ReadingTools } from '../store/database.ts';
import { dueDeliveries, getDelivery, type DeliveryKey } from '../store/webhooks/deliveries.ts';
import { getEvent, undispatchedEvents } from '../store/webhooks/events.ts';

/** Rows per shard and round. The same for all duties, so that a backlog of one does not starve the others. */
const limit = 10;

/** As many tickets as SQS takes in one request. */
const ticketBatch = 10;

/** Returns the number of rows that failed. */
export type Duty = (clock: Clock, deadline: number) => Promise<number>;

type KeySchema = z.ZodMiniType<Readonly<Record<string, string>>>;

/** Sends a ticket, which is the row's key, for each due row. */
export function ticketDuty<Key extends KeySchema>(rows: DueRows<Key>, send: SendTickets): Duty {
  return performing(rows, ticketBatch, (keys) => send(keys.map((body) => ({ body }))));
}

function duty<Key extends KeySchema>(rows: DueRows<Key>, perform: (key: z.output<Key>) => Promise<void>): Duty {
  return performing(rows, 1, async ([key]) => key && perform(key));
}

function performing<Key extends KeySchema>(
  rows: DueRows<Key>,
  batchSize: number,
  perform: (keys: readonly z.output<Key>[]) => Promise<void>,
): Duty {
  return async (clock, deadline) => {
    let [done, failed] = [0, 0];
    let age: number | undefined;
    let rest: readonly Position[] | undefined;
    try {
      do {
        const postponed: PostponedRows<z.output<Key>> = await postponeDue(rows, clock(), limit, rest);
        rest = postponed.rest;
        age = Math.max(age ?? 0, postponed.age);
        for (const { key, times } of postponed.stuck) logError('due row stuck', { duty: rows.duty, ...key, times });
        for (const error of postponed.errors) logFault('due row not taken', error, { duty: rows.duty });
        failed += postponed.errors.length;
        const batches = batchesOf(postponed.keys, batchSize);
        const results = await Promise.allSettled(batches.map(perform));
        for (const [index, keys] of batches.entries()) {
          const result = results[index];
          if (result?.status !== 'rejected') done += keys.length;
          else {
            failed += keys.length;
            for (const key of keys) logFault('due row failed', result.reason, { duty: rows.duty, ...key });
          }
        }
      } while (rest.length > 0 && clock() < deadline);
    } catch (error) {
      failed += 1;
      logFault('sweep failed', error, { duty: rows.duty });
    }
    logResult(rows.duty, done, failed, age);
    return failed;
  };
}

function logResult(duty: DutyName, done: number, failed: number, age: number | undefined): void {
  const measurements = age === undefined ? [] : [{ metric: 'SweepAge', value: age / second, by: duty } as const];
  logInfo('swept', { duty, done, failed }, measurements);
}

export interface SweepTools extends ReadingTools {
  readonly publish: Publish;
  readonly sendExpirations: SendTickets;
  readonly sendDebits: SendTickets;
  readonly sendDeliveries: SendTickets;
  readonly clock: Clock;
  readonly settlements: Duty;
}

/** A round that starts at the deadline still fits into the function's timeout. */
const runTime = 35 * second;

export async function sweep(tools: SweepTools): Promise<void> {
  const deadline = tools.clock() + runTime;
  const results = duties(tools).map((perform) => perform(tools.clock, deadline));
  const failures = await Promise.all([watch(tools), ...results]);
  const failed = failures.reduce((sum, count) => sum + count, 0);
  if (failed > 0) throw new Fault(`${failed} due rows failed`);
}

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

function duties(tools: SweepTools): Duty[] {
  const { database, sendExpirations, sendDebits, settlements } = tools;
  return [
    ticketDuty(dueSessions(database, 'expiry'), sendExpirations),
    ticketDuty(dueSessions(database, 'debit'), sendDebits),
    ticketDuty(dueSessions(database, 'cancellation'), sendDebits),
    ticketDuty(dueSessions(database, 'refund'), sendDebits),
    duty(undispatchedEvents(database), ({ eventId }) => republish(tools, eventId)),
    duty(dueDeliveries(database), (key) => retryDelivery(tools, key)),
    settlements,
  ];
}

async function republish(tools: SweepTools, eventId: string): Promise<void> {
  const { database, publish, clock } = tools;
  const event = await getEvent(database, eventId);
  if (event?.dueShard === undefined) return;
  const [accepted] = await publish([event]);
  if (!accepted) throw new Fault(`the bus rejected ${eventId}`);
  const [dispatched] = await dispatchEvents(tools, [event], clock());
  if (dispatched?.status === 'rejected') throw dispatched.reason;
}

async function retryDelivery({ database, sendDeliveries, clock }: SweepTools, key: DeliveryKey): Promise<void> {
  const delivery = await getDelivery(database, key);
  // An attempt recorded in the meantime has set a later time.
  if (delivery?.status !== 'pending' || (delivery.nextAttemptAt ?? '') > toIso(clock())) return;
  await sendDeliveries([ticketOfDelivery(delivery, delivery.attempts + 1)]);
}
