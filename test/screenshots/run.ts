/** Writes pictures and contact sheets into `.screenshots/`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startPatientApiDouble } from '../web/patient-api-double.ts';
import { languages, liveViews, openView, pageViews, type Language, type PageView } from '../web/views-table.ts';
import { contactSheet, type Figure } from './contact-sheet.ts';

const output = join(import.meta.dirname, '../../.screenshots');

const sizes = {
  phone: { viewport: { width: 375, height: 667 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};
/** US Letter without the print margins, which a picture does not show. */
const paper = { width: 720, height: 960 };
const everyView = [...pageViews, ...liveViews];
const themes = ['light', 'dark'] as const;
const widths = { phone: 240, desktop: 400, print: 300 };

interface Shot {
  readonly view: string;
  readonly language: Language;
  readonly theme: (typeof themes)[number];
  readonly medium: keyof typeof widths;
  readonly whole: boolean;
  readonly picture: string;
  readonly opens: string;
}

async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    document
      .getAnimations()
      .forEach((animation) => animation.effect?.getComputedTiming().endTime !== Infinity && animation.finish());
  });
}

/** In a full-page picture the bottom bar would cover something. */
async function shoot(page: Page, path: string): Promise<{ path: string; whole: boolean }[]> {
  const screen = { path: `${path}.png`, whole: false };
  await page.screenshot({ path: screen.path });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const size = page.viewportSize();
  if (size === null || height <= size.height) return [screen];
  const all = { path: `${path}-whole.png`, whole: true };
  await page.setViewportSize({ ...size, height });
  await page.screenshot({ path: all.path });
  await page.setViewportSize(size);
  return [screen, all];
}

async function shootView(page: Page, view: PageView, size: keyof typeof sizes, language: Language): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const theme of themes) {
    const directory = join(output, language, theme);
    await page.emulateMedia({ colorScheme: theme });
    await settled(page);
    for (const { path, whole } of await shoot(page, join(directory, `${view.name}-${size}`))) {
      const picture = relative(output, path);
      shots.push({ view: view.name, language, theme, medium: size, whole, picture, opens: picture });
    }
  }
  return shots;
}

/** A PDF cannot be turned into a picture here. */
async function shootPrinted(page: Page, view: PageView, language: Language): Promise<Shot[]> {
  const path = join(output, language, 'light', `${view.name}-print`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.pdf({ path: `${path}.pdf`, preferCSSPageSize: true, format: 'Letter' });
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: `${path}.png` });
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize(sizes.desktop.viewport);
  return [
    {
      view: view.name,
      language,
      theme: 'light',
      medium: 'print',
      whole: false,
      picture: relative(output, `${path}.png`),
      opens: relative(output, `${path}.pdf`),
    },
  ];
}

async function shootAll(browser: Browser): Promise<Shot[]> {
  await using cleanup = new AsyncDisposableStack();
  const [sandbox, live] = await Promise.all([startPatientApiDouble(), startPatientApiDouble('live')]);
  for (const api of [sandbox, live]) cleanup.defer(() => api.close());
  const open = async (options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> => {
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', ...options });
    cleanup.defer(() => context.close());
    await context.clock.install();
    return context;
  };
  const shots: Shot[] = [];
  for (const size of ['phone', 'desktop'] as const) {
    const page = await (await open(sizes[size])).newPage();
    const plain = await (await open({ ...sizes[size], javaScriptEnabled: false })).newPage();
    for (const language of languages) {
      for (const view of everyView) {
        const shown = view.javaScript === false ? plain : page;
        await openView(shown, liveViews.includes(view) ? live : sandbox, view, language);
        shots.push(...(await shootView(shown, view, size, language)));
        if (size === 'desktop' && (await shown.locator('.receipt').count()) > 0)
          shots.push(...(await shootPrinted(shown, view, language)));
      }
    }
  }
  return shots;
}

function figure(group: string, caption: string, { picture, opens, medium }: Shot): Figure {
  return { group, caption, picture, opens, width: widths[medium] };
}

async function writeSheets(browser: Browser, shots: readonly Shot[]): Promise<string[]> {
  const order = everyView.map(({ name }) => name);
  const sorted = shots.toSorted((left, right) => order.indexOf(left.view) - order.indexOf(right.view));
  const index = join(output, 'index.html');
  const captionOf = ({ medium, whole, theme, language }: Shot) =>
    [medium, whole && 'whole page', theme, language].filter(Boolean).join(', ');
  await writeFile(
    index,
    contactSheet(
      'Every view of the hosted page',
      sorted.map((shot) => figure(shot.view, captionOf(shot), shot)),
    ),
  );

  const sheets = [index];
  const page = await browser.newPage({ viewport: { width: 2570, height: 1000 } });
  for (const language of languages) {
    for (const theme of themes) {
      const path = join(output, `sheet-${language}-${theme}`);
      const screens = sorted.filter((shot) => shot.language === language && shot.theme === theme && !shot.whole);
      await writeFile(
        `${path}.html`,
        contactSheet(
          `${language}, ${theme}`,
          screens.map((shot) => figure(shot.medium, shot.view, shot)),
        ),
      );
      await page.goto(pathToFileURL(`${path}.html`).href);
      await page.screenshot({ path: `${path}.png`, fullPage: true });
      await rm(`${path}.html`);
      sheets.push(`${path}.png`);
    }
  }
  await page.close();
  return sheets;
}

await rm(output, { recursive: true, force: true });
for (const language of languages)
  for (const theme of themes) await mkdir(join(output, language, theme), { recursive: true });
const browser = await launchBrowser();
try {
  const shots = await shootAll(browser);
  const sheets = await writeSheets(browser, shots);
  console.log(
    `${shots.length} pictures of ${everyView.length} views. Look at:\n${sheets.map((path) => `  ${relative(process.cwd(), path)}`).join('\n')}`,
  );
} finally {
  await browser.close();
}
