import { setTimeout as wait } from 'node:timers/promises';
import { launchBrowser } from '../support/browser.ts';
import { succeeded } from '../support/patient.ts';
import type { Payments } from '../support/payments.ts';
import { freePort, lighthouseScores, runs } from './lighthouse-scores.ts';
import { npmStart } from './npm-start.ts';
import { table } from './report.ts';

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
