import { createServer } from 'node:net';
import lighthouse, { type Result } from 'lighthouse';
import { median } from './report.ts';

export const runs = 3;
type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

function causes(result: Result, category: Category): string[] {
  return (result.categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
}

interface Measured {
  readonly port: number;
  readonly categories: readonly Category[];
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

/** Cells of a row: the median of each category, and the audits that cost points. */
export async function lighthouseScores(
  url: string,
  { port, categories, extraHeaders = {} }: Measured,
): Promise<string[]> {
  const results: Result[] = [];
  for (let run = 0; run < runs; run += 1) {
    const onlyCategories = [...categories];
    const outcome = await lighthouse(url, { port, logLevel: 'error', onlyCategories, extraHeaders });
    if (!outcome || outcome.lhr.runtimeError)
      throw new Error(`Lighthouse: ${outcome?.lhr.runtimeError?.message ?? 'no result'}`);
    results.push(outcome.lhr);
  }
  const scores = categories.map((category) =>
    String(Math.round(100 * median(results.map((result) => result.categories[category]?.score ?? Number.NaN)))),
  );
  const lost = categories.flatMap((category) =>
    [...new Set(results.flatMap((result) => causes(result, category)))].map((id) => `${category}: ${id}`),
  );
  return [...scores, lost.join(', ') || 'nothing'];
}
