import type { Page, Request } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { connectBank, mainAction, openLink, readAuthorization } from '../web/journey.ts';
import { npmStart } from './npm-start.ts';
import { table } from './report.ts';

const kinds = ['document', 'stylesheet', 'script', 'image', 'fetch', 'other'];

/** Bytes include all headers. */
interface Moved {
  readonly kind: string;
  readonly sent: number;
  readonly received: number;
}

export function watch(page: Page): { moved: Moved[]; finished(): Promise<unknown> } {
  const moved: Moved[] = [];
  const measuring: Promise<void>[] = [];
  async function measure(request: Request): Promise<void> {
    const size = await request.sizes();
    const kind = kinds.find((known) => known === request.resourceType()) ?? 'other';
    moved.push({
      kind,
      sent: size.requestHeadersSize + size.requestBodySize,
      received: size.responseHeadersSize + size.responseBodySize,
    });
  }
  page.on('requestfinished', (request) => {
    if (request.url().startsWith('http')) measuring.push(measure(request));
  });
  return { moved, finished: () => Promise.all(measuring) };
}

export async function pageJourney(): Promise<{ readonly step: string; readonly moved: readonly Moved[] }[]> {
  await using cleanup = new AsyncDisposableStack();
  const { payments, password, stop } = await npmStart();
  cleanup.defer(stop);
  const { hostedUrl } = await payments.createSession({ invoiceId: 'INV-JOURNEY' });
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 375, height: 667 }, locale: 'en-US' });
  const { moved, finished } = watch(page);

  const steps: [string, () => Promise<unknown>][] = [
    ['link opened', () => openLink(page, hostedUrl)],
    [
      'bank connected: review',
      async () => {
        await connectBank(page, 'user_good', password);
        await readAuthorization(page);
      },
    ],
    [
      'authorized: submitted',
      async () => {
        await mainAction(page).click();
        await page.locator('.sign.waiting').waitFor();
      },
    ],
    ['paid, after polling every 2 s', () => page.locator('.sign.good').waitFor()],
  ];
  const moves = [];
  for (const [step, act] of steps) {
    await act();
    await page.waitForLoadState('networkidle');
    await finished();
    moves.push({ step, moved: [...moved] });
  }
  return moves;
}

export function received(moved: readonly Moved[]): number {
  return moved.reduce((sum, request) => sum + request.received, 0);
}

export async function benchPageJourney(): Promise<string> {
  const rows = (await pageJourney()).map(({ step, moved }) => {
    const sent = moved.reduce((sum, request) => sum + request.sent, 0);
    const counts = kinds.map((kind) => String(moved.filter((request) => request.kind === kind).length));
    return [step, ...counts, `${(received(moved) / 1000).toFixed(1)} kB`, `${(sent / 1000).toFixed(1)} kB`];
  });
  return table(
    ["requests so far in a patient's journey", ...kinds.slice(0, -2), 'API calls', 'other', 'received', 'sent'],
    rows,
  );
}
