import type { BrowserContext } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { signedInContext } from '../support/dashboard.ts';
import { startDashboardStack } from './dashboard-stack.ts';
import { received, watch } from './page-journey.ts';
import { table } from './report.ts';

const files = ['document', 'stylesheet', 'script'];
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

async function firstScreen(context: BrowserContext, name: string, url: string, heading: string): Promise<string[]> {
  const page = await context.newPage();
  const { moved, finished } = watch(page);
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.waitForLoadState('networkidle');
  await finished();
  await page.close();
  const [loaded, others] = [true, false].map((isFile) => moved.filter(({ kind }) => files.includes(kind) === isFile));
  const sizes = files.map((kind) => kilobytes(received(moved.filter((request) => request.kind === kind))));
  return [name, ...sizes, `${kilobytes(received(loaded ?? []))} in ${loaded?.length}`, `${others?.length}`];
}

/** Measures what a browser without a cache loads, compressed, with response headers. */
export async function benchDashboardBytes(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const { dashboardUrl, practice, admin, stop } = await startDashboardStack();
  cleanup.defer(stop);
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const home = `${dashboardUrl}/${practice.practiceId}`;
  const screens = [
    ['signed out', await browser.newContext(), dashboardUrl, 'Practice dashboard'],
    ['home', await signedInContext(browser, { dashboardUrl, ...admin }), home, 'Home'],
    ['sessions', await signedInContext(browser, { dashboardUrl, ...admin }), `${home}/sessions`, 'Sessions'],
  ] as const;
  const rows: string[][] = [];
  for (const [name, context, url, heading] of screens) rows.push(await firstScreen(context, name, url, heading));
  return table(
    ["dashboard's first screen", 'HTML', 'CSS', 'JS', 'in all, in requests', 'API requests and other'],
    rows,
  );
}
