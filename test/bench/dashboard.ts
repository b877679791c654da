import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../lib/build/synthesize.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { succeeded } from '../support/patient.ts';
import { databaseOf } from '../support/tables.ts';
import { fillSessions } from './fill-payments.ts';
import { percentile, table } from './report.ts';
import type { BrowserContext } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { signedInContext } from '../support/dashboard.ts';
import { received, watch } from './page-journey.ts';
import { freePort, lighthouseScores, runs } from './lighthouse.ts';

const sessions = 20_000;
const warmUp = 10;
const calls = 100;

/** Measures from the call to the whole response, through the local gateway. */
export async function benchDashboardList(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const { stack, dashboardUrl, practice, admin, stop } = await startDashboardStack();
  cleanup.defer(stop);
  await fillSessions(databaseOf(stack), practice.practiceId, sessions);

  const rows: string[][] = [];
  for (const [name, query] of [
    ['first page', ''],
    ['first page, two states', '?status=succeeded&status=failed'],
    ['first page, returned', '?returned=true'],
    ['one invoice', '?invoiceId=INV-7'],
  ] as const) {
    const url = `${dashboardUrl}/api/dashboard/practices/${practice.practiceId}/sessions${query}`;
    const times: number[] = [];
    for (let call = 0; call < warmUp + calls; call += 1) {
      const sentAt = performance.now();
      const response = await fetch(url, { headers: { cookie: admin.cookie } });
      const text = await response.text();
      times.push(performance.now() - sentAt);
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${text}`);
    }
    const warm = times.slice(warmUp);
    rows.push([name, ...[0.5, 0.95].map((share) => `${percentile(warm, share).toFixed(1)} ms`)]);
  }
  return table(
    [`dashboard's list of ${sessions.toLocaleString('en-US')} sessions, ${calls} calls`, 'p50', 'p95'],
    rows,
  );
}

interface DashboardStack extends TestStack {
  readonly admin: DashboardUser;
}

/** A stack whose practice has one paid invoice, so that its home shows payments. */
async function startDashboardStack(): Promise<DashboardStack> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const assembly = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const stack = await startTestStack({ assembly });
  const { sessionId, payment } = await stack.pay('user_good', { invoiceId: 'INV-PAID' });
  succeeded(payment);
  await stack.receiver.waitFor('session.payment.succeeded', sessionId);
  const { practiceId } = stack.practice;
  return {
    ...stack,
    admin: await dashboardUser(stack, { practiceId, role: 'admin' }),
    async stop() {
      await stack.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

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

const categories = ['performance', 'accessibility', 'best-practices'] as const;

export async function benchDashboardLighthouse(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const { dashboardUrl, practice, admin, stop } = await startDashboardStack();
  cleanup.defer(stop);
  const port = await freePort();
  const browser = await launchBrowser({ debuggingPort: port });
  cleanup.defer(() => browser.close());

  const home = `${dashboardUrl}/${practice.practiceId}`;
  const signedIn = { cookie: admin.cookie };
  const rows: string[][] = [];
  for (const [screen, url, extraHeaders] of [
    ['signed out', dashboardUrl, {}],
    ['home', home, signedIn],
    ['sessions', `${home}/sessions`, signedIn],
  ] as const)
    rows.push([screen, ...(await lighthouseScores(url, { port, categories, extraHeaders }))]);
  return table([`dashboard in Lighthouse mobile, median of ${runs}`, ...categories, 'audits that cost points'], rows);
}
