import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { launchBrowser } from '../support/browser.ts';
import { succeeded } from '../support/patient.ts';
import type { Payments } from '../support/payments.ts';
import { npmStart } from './npm-start.ts';
import { median, table } from './report.ts';

export const runs = 3;
type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';

/** Fetched at run time: 97 packages that nothing else needs would make every install longer. */
const lighthouse = 'lighthouse@13.5.0';
const score = z.number().nullable();
const report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({ score, auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(z.string(), z.object({ score })),
});
type Report = z.output<typeof report>;

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

function causes(result: Report, category: Category): string[] {
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
  const results: Report[] = [];
  for (let count = 0; count < runs; count += 1) {
    const options = [
      `--port=${port}`,
      '--output=json',
      '--quiet',
      `--only-categories=${categories.join()}`,
      `--extra-headers=${JSON.stringify(extraHeaders)}`,
    ];
    const run = await promisify(execFile)('npx', ['--yes', lighthouse, url, ...options], { maxBuffer: 50_000_000 });
    const result = report.parse(JSON.parse(run.stdout));
    if (result.runtimeError) throw new Error(`Lighthouse: ${result.runtimeError.message}`);
    results.push(result);
  }
  const scores = categories.map((category) =>
    String(Math.round(100 * median(results.map((result) => result.categories[category]?.score ?? Number.NaN)))),
  );
  const lost = categories.flatMap((category) =>
    [...new Set(results.flatMap((result) => causes(result, category)))].map((id) => `${category}: ${id}`),
  );
  return [...scores, lost.join(', ') || 'nothing'];
}

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

async function paidLink({ pay }: Payments): Promise<string> {
  const { hostedUrl, patient, payment } = await pay('user_good', { invoiceId: 'INV-PAID' });
  succeeded(payment);
  while ((await patient.view()).body['status'] !== 'succeeded') await wait(200);
  return hostedUrl;
}

export async function benchLighthouse(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const { payments, stop } = await npmStart();
  cleanup.defer(stop);
  const port = await freePort();
  const browser = await launchBrowser({ debuggingPort: port });
  cleanup.defer(() => browser.close());

  const rows: string[][] = [];
  for (const [view, link] of [
    ['owed', (await payments.createSession({ invoiceId: 'INV-OWED' })).hostedUrl],
    ['receipt', await paidLink(payments)],
  ] as const)
    rows.push([view, ...(await lighthouseScores(link, { port, categories }))]);
  return table([`Lighthouse mobile, median of ${runs}`, ...categories, 'audits that cost points'], rows);
}
