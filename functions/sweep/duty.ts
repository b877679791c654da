import type * as z from 'zod/mini';
import type { Table } from '../contract/environment.ts';
import type { DutyName } from '../domain/due.ts';
import { second, type Clock } from '../domain/time.ts';
import { logError, logFault, logInfo } from '../log.ts';
import { takeDue, type DueRows, type Position, type TakenRows } from '../store/due-index.ts';

const limit = 10;

/** Returns the number of rows that failed. */
export type Duty = (clock: Clock, deadline: number) => Promise<number>;

export function duty<Name extends Table, Key extends z.ZodMiniType<Readonly<Record<string, string>>>>(
  rows: DueRows<Name, Key>,
  perform: (key: z.output<Key>) => Promise<void>,
): Duty {
  return async (clock, deadline) => {
    let [done, failed] = [0, 0];
    let age: number | undefined;
    let rest: readonly Position[] | undefined;
    try {
      do {
        const taken: TakenRows<z.output<Key>> = await takeDue(rows, clock(), limit, rest);
        rest = taken.rest;
        age = Math.max(age ?? 0, taken.age);
        for (const { key, times } of taken.stuck) logError('due row stuck', { duty: rows.duty, ...key, times });
        const results = await Promise.allSettled(taken.keys.map(perform));
        for (const [index, result] of results.entries()) {
          if (result.status === 'fulfilled') done += 1;
          else {
            failed += 1;
            logFault('due row failed', result.reason, { duty: rows.duty, ...taken.keys[index] });
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
