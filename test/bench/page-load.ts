import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { npmStart } from './npm-start.ts';
import { median, table } from './report.ts';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { pageDocuments } from '../../functions/domain/locale.ts';
import { modes } from '../../functions/domain/mode.ts';
import { buildHostedPage } from '../../lib/build/pages.ts';

/** The same as in Chrome's developer tools. In milliseconds and bytes per second. */
const slow4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

const runs = 5;

async function openOwed(page: Page, link: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(link);
  await page.locator('.amount').waitFor();
  return Number(await page.evaluate('owedAt'));
}

/** From the navigation until the amount shows. In milliseconds, with an empty and a filled browser cache. */
async function timeToOwed(browser: Browser, link: string): Promise<{ first: number; second: number }> {
  const visits: { first: number; second: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ viewport: { width: 375, height: 667 }, locale: 'en-US' });
    await context.addInitScript(() => {
      const look = () => {
        if (!document.querySelector('.amount')) return;
        observer.disconnect();
        requestAnimationFrame(() => Object.assign(window, { owedAt: performance.now() }));
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true });
    });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slow4G);
    visits.push({ first: await openOwed(page, link), second: await openOwed(page, link) });
    await context.close();
  }
  return { first: median(visits.map(({ first }) => first)), second: median(visits.map(({ second }) => second)) };
}

export async function benchPageLoad(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const { payments, stop } = await npmStart();
  cleanup.defer(stop);
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const { hostedUrl } = await payments.createSession({ invoiceId: 'INV-LOAD' });
  const { first, second } = await timeToOwed(browser, hostedUrl);
  return table(
    [`"what is owed" on a slow 4G network, median of ${runs}`, 'measured'],
    [
      ['first visit', `${Math.round(first)} ms`],
      ['second visit', `${Math.round(second)} ms`],
    ],
  );
}

const kilobytes = ({ length }: Buffer) => `${(length / 1000).toFixed(1)} kB`;
const brotli = (file: Buffer) => brotliCompressSync(file, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/** Measures what a browser loads before a patient can act. */
export async function benchPageBytes(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const rows: string[][] = [];
  for (const mode of modes) {
    await buildHostedPage(directory, mode);
    for (const document of Object.values(pageDocuments).sort()) {
      const html = await readFile(join(directory, document));
      rows.push([
        `\`${document}\`, ${mode}`,
        kilobytes(html),
        ...[gzipSync(html), brotli(html)].map((file) => kilobytes(file)),
      ]);
    }
  }
  await rm(directory, { recursive: true });
  return table(['hosted page before interaction: one document', 'as built', 'gzip', 'brotli, level 5'], rows);
}
