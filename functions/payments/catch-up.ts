import type { Progress } from '../domain/reconciliation.ts';
import type { Clock } from '../domain/time.ts';
import type { ListPage } from '../processors/processor.ts';

interface Limits {
  readonly until: string;
  readonly clock: Clock;
  readonly deadline: number;
}

/** Reads a list page by page from where the last run stopped. Saves each step: after a failure a page is read again. */
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
