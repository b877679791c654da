import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import lighthouse, { type Result } from 'lighthouse';
import { launchBrowser } from '../support/browser.ts';
import { succeeded } from '../support/patient.ts';
import type { Payments } from '../support/payments.ts';
import { npmStart } from './npm-start.ts';
import { median, table } from './report.ts';

const runs = 3;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function paidLink({ pay }: Payments): Promise<string> {
  const { hostedUrl, patient, payment } = await pay('user_good', { invoiceId: 'INV-PAID' });
  succeeded(payment);
  while ((await patient.view()).body['status'] !== 'succeeded') await wait(200);
  return hostedUrl;
}

function causes(result: Result, category: (typeof categories)[number]): string[] {
  return (result.categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
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
  ] as const) {
    const results: Result[] = [];
    for (let run = 0; run < runs; run += 1) {
      const outcome = await lighthouse(link, { port, logLevel: 'error', onlyCategories: [...categories] });
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
    rows.push([view, ...scores, lost.join(', ') || 'nothing']);
  }
  return table([`Lighthouse mobile, median of ${runs}`, ...categories, 'audits that cost points'], rows);
}
