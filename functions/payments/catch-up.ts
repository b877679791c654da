import type { Progress } from '../domain/payments/booking.ts';
import { day, toIso, type Clock } from '../domain/time.ts';
import type { ListPage } from '../processors/processor.ts';

interface Limits {
  readonly until: string;
  readonly clock: Clock;
  readonly deadline: number;
}

/** How far back the first run reads. A payout's status can change until its money arrives or is sent back. */
export const firstPeriod = 35 * day;

/** Where to continue a list that is read once a day. Undefined if it was read less than a day ago. */
export function dailyProgress(progress: Progress | undefined, until: string): Progress | undefined {
  const { from, after } = progress ?? { from: toIso(Date.parse(until) - firstPeriod) };
  if (after === undefined && Date.parse(from) > Date.parse(until) - day) return undefined;
  return progress ?? { from };
}

/** Reads a list page by page from where the last run stopped. Saves its progress after each page. */
export async function catchUp(
  progress: Progress,
  { until, clock, deadline }: Limits,
  readPage: (page: ListPage) => Promise<string | undefined>,
  save: (progress: Progress) => Promise<void>,
): Promise<Progress> {
  let { from, to = until, after }: Progress = progress;
  while (from < to && clock() < deadline) {
    after = await readPage({ from, to, after });
    if (after === undefined) [from, to] = [to, until];
    await save(after === undefined ? { from } : { from, to, after });
  }
  return after === undefined ? { from } : { from, to, after };
}
