import { launchBrowser } from '../support/browser.ts';
import { startDashboardStack } from './dashboard-stack.ts';
import { freePort, lighthouseScores, runs } from './lighthouse.ts';
import { table } from './report.ts';

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
