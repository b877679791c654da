import type * as z from 'zod/mini';
import type { DutyName } from '../domain/due.ts';
import { second } from '../domain/time.ts';
import { logError, logFault, logInfo } from '../log.ts';
import type { Database } from '../store/database.ts';
import { takeDue, type DueRows, type Position, type TakenRows } from '../store/due-index.ts';

/** Rows taken per shard at a time. */
const limit = 10;

export interface DutyTools {
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** One kind of overdue work. Runs until `deadline`, in milliseconds since 1970. Returns the number of failed rows. */
export type Duty = (tools: DutyTools, deadline: number) => Promise<number>;

/** A duty that takes due rows until every shard is done or time is up. A row that fails is logged and retried later. */
export function duty<Key extends z.ZodMiniType<Readonly<Record<string, string>>>>(
  rows: DueRows<Key>,
  perform: (key: z.output<Key>) => Promise<void>,
): Duty {
  return async ({ database, clock }, deadline) => {
    let [done, failed] = [0, 0];
    let age: number | undefined;
    let rest: readonly Position[] | undefined;
    try {
      do {
        const taken: TakenRows<z.output<Key>> = await takeDue(database, rows, clock(), limit, rest);
        rest = taken.rest;
        age = Math.max(age ?? 0, taken.age);
        for (const { key, times } of taken.stuck) logError('due row stuck', { duty: rows.work, ...key, times });
        const results = await Promise.allSettled(taken.keys.map(perform));
        for (const [index, result] of results.entries()) {
          if (result.status === 'fulfilled') done += 1;
          else {
            failed += 1;
            logFault('due row failed', result.reason, { duty: rows.work, ...taken.keys[index] });
          }
        }
      } while (rest.length > 0 && clock() < deadline);
    } catch (error) {
      failed += 1;
      logFault('sweep failed', error, { duty: rows.work });
    }
    logResult(rows.work, done, failed, age);
    return failed;
  };
}

/** `age`: milliseconds since the oldest row first came due; undefined if the rows could not be read. */
function logResult(work: DutyName, done: number, failed: number, age: number | undefined): void {
  const measurements = age === undefined ? [] : [{ metric: 'SweepAge', value: age / second, by: work } as const];
  logInfo('swept', { duty: work, done, failed }, measurements);
}
