import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { synthesize } from '../../lib/build/synthesize.ts';
import { startTestStack } from '../support/local-stack.ts';
import { signedInContext } from '../support/dashboard.ts';
import { chooseTheme, contactSheet, shootPaper, shootWhole, themes, type Figure } from './picture.ts';
import { fillPractice, type FilledPractice } from './dashboard-data.ts';
import { dashboardScreens } from './dashboard-screens.ts';
import { usePhoneFont } from '../support/pictures.ts';

const sizes = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};
type Size = keyof typeof sizes;
/** The beginning of a long list is enough. */
const highest = 2_400;
const widths = { phone: 240, desktop: 480, paper: 300 };

async function shootScreens(
  browser: Browser,
  filled: FilledPractice,
  size: Size,
  output: string,
  chosen: string,
): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const contexts = new Map<string, Promise<BrowserContext>>();
  const contextOf = (cookie: string) => {
    const known = contexts.get(cookie);
    if (known) return known;
    const opened = signedInContext(browser, { ...filled, cookie }, sizes[size]);
    cleanup.defer(async () => (await opened).close());
    contexts.set(cookie, opened);
    return opened;
  };
  const figures: Figure[] = [];
  for (const { name, visitor = 'admin', path, steps, printed = false } of dashboardScreens) {
    if (!name.startsWith(chosen)) continue;
    const page = await (await contextOf(visitor === 'nobody' ? '' : filled.cookies[visitor])).newPage();
    page.setDefaultTimeout(10_000);
    const shot = (picture: string, caption: string, width: number, opens = picture) =>
      figures.push({ group: name, caption, picture, opens, width });
    try {
      await page.goto(`${filled.dashboardUrl}${path(filled)}`, { waitUntil: 'networkidle' });
      await steps?.(page, filled);
      await page.waitForLoadState('networkidle');
      await usePhoneFont(page);
      for (const theme of themes) {
        await chooseTheme(page, theme);
        const picture = `${theme}/${name}-${size}.png`;
        await shootWhole(page, join(output, picture), highest);
        shot(picture, `${size}, ${theme}`, widths[size]);
      }
      if (printed && size === 'desktop') {
        await shootPaper(page, join(output, 'light', `${name}-paper`));
        shot(`light/${name}-paper.png`, 'paper', widths.paper, `light/${name}-paper.pdf`);
      }
    } catch (error) {
      // Continues with the other pictures.
      process.exitCode = 1;
      console.error(`No picture of ${name}, ${size}:`, error);
    } finally {
      await page.close();
    }
  }
  return figures;
}

/** Returns the number of pictures, and the sheet with all of them. `chosen` is a prefix of screens' names. */
export async function shootDashboard(
  browser: Browser,
  output: string,
  chosen = '',
): Promise<{ pictures: number; sheets: string[] }> {
  await using cleanup = new AsyncDisposableStack();
  for (const theme of themes) await mkdir(join(output, theme), { recursive: true });
  const outdir = await mkdtemp(join(tmpdir(), 'payment-assembly-'));
  cleanup.defer(() => rm(outdir, { recursive: true, force: true }));
  const service = await startTestStack({ assembly: await synthesize({ stage: 'sandbox', local: true, outdir }) });
  cleanup.defer(() => service.stop());
  const filled = await fillPractice(service);
  cleanup.defer(() => filled.stop());

  const figures = await Promise.all(
    (['phone', 'desktop'] as const).map((size) => shootScreens(browser, filled, size, output, chosen)),
  );
  const order = dashboardScreens.map(({ name }) => name);
  const sorted = figures.flat().toSorted((left, right) => order.indexOf(left.group) - order.indexOf(right.group));
  const sheet = join(output, 'index.html');
  await writeFile(sheet, contactSheet('Every screen of the dashboard', sorted));
  return { pictures: sorted.length, sheets: [sheet] };
}
