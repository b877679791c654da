import type * as z from 'zod/mini';
import type { Table } from '../contract/environment.ts';
import { batchesOf } from '../domain/batches.ts';
import type { DutyName } from '../domain/due.ts';
import { second, type Clock } from '../domain/time.ts';
import { logError, logFault, logInfo } from '../log.ts';
import type { SendTickets } from '../messages/queues.ts';
import { postponeDue, type DueRows, type Position, type PostponedRows } from '../store/due-index.ts';

/** Rows per shard and round. The same for all duties, so that a backlog of one does not starve the others. */
const limit = 10;

/** As many tickets as SQS takes in one request. */
const ticketBatch = 10;

/** Returns the number of rows that failed. */
export type Duty = (clock: Clock, deadline: number) => Promise<number>;

type KeySchema = z.ZodMiniType<Readonly<Record<string, string>>>;

/** Sends a ticket, which is the row's key, for each due row. */
export function ticketDuty<Name extends Table, Key extends KeySchema>(
  rows: DueRows<Name, Key>,
  send: SendTickets,
): Duty {
  return performing(rows, ticketBatch, (keys) => send(keys.map((body) => ({ body }))));
}

export function duty<Name extends Table, Key extends KeySchema>(
  rows: DueRows<Name, Key>,
  perform: (key: z.output<Key>) => Promise<void>,
): Duty {
  return performing(rows, 1, async ([key]) => key && perform(key));
}

function performing<Name extends Table, Key extends KeySchema>(
  rows: DueRows<Name, Key>,
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
