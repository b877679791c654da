import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startPatientApiDouble } from '../web/patient-api-double.ts';
import { languages, liveViews, openView, pageViews, type Language, type PageView } from '../web/views-table.ts';
import { chooseTheme, contactSheet, shootPaper, shootWhole, themes, type Figure, type Theme } from './picture.ts';
import { usePhoneFont } from '../support/pictures.ts';

const sizes = {
  phone: { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};
const everyView = [...pageViews, ...liveViews];
const widths = { phone: 240, desktop: 400, print: 300 };

interface Shot {
  readonly view: string;
  readonly language: Language;
  readonly theme: Theme;
  readonly medium: keyof typeof widths;
  readonly whole: boolean;
  readonly picture: string;
  readonly opens: string;
}

async function shoot(page: Page, path: string): Promise<{ path: string; whole: boolean }[]> {
  const screen = { path: `${path}.png`, whole: false };
  await page.screenshot({ path: screen.path });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const size = page.viewportSize();
  if (size === null || height <= size.height) return [screen];
  const all = { path: `${path}-whole.png`, whole: true };
  await shootWhole(page, all.path);
  return [screen, all];
}

async function shootView(
  page: Page,
  output: string,
  view: PageView,
  size: keyof typeof sizes,
  language: Language,
): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const theme of themes) {
    const directory = join(output, language, theme);
    await chooseTheme(page, theme);
    for (const { path, whole } of await shoot(page, join(directory, `${view.name}-${size}`))) {
      const picture = relative(output, path);
      shots.push({ view: view.name, language, theme, medium: size, whole, picture, opens: picture });
    }
  }
  return shots;
}

async function shootPrinted(page: Page, output: string, view: PageView, language: Language): Promise<Shot[]> {
  const path = join(output, language, 'light', `${view.name}-print`);
  await shootPaper(page, path);
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

async function shootAll(browser: Browser, output: string, views: readonly PageView[]): Promise<Shot[]> {
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
      for (const view of views) {
        const shown = view.javaScript === false ? plain : page;
        await openView(shown, liveViews.includes(view) ? live : sandbox, view, language);
        await usePhoneFont(shown);
        shots.push(...(await shootView(shown, output, view, size, language)));
        const canPrint = browser.browserType().name() === 'chromium';
        if (canPrint && size === 'desktop' && (await shown.locator('.receipt').count()) > 0)
          shots.push(...(await shootPrinted(shown, output, view, language)));
      }
    }
  }
  return shots;
}

function figure(group: string, caption: string, { picture, opens, medium }: Shot): Figure {
  return { group, caption, picture, opens, width: widths[medium] };
}

async function writeSheets(browser: Browser, output: string, shots: readonly Shot[]): Promise<string[]> {
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

/** Returns the number of pictures, and the sheets with all of them. `chosen` is a prefix of views' names. */
export async function shootHostedPage(
  browser: Browser,
  output: string,
  chosen = '',
): Promise<{ pictures: number; sheets: string[] }> {
  for (const language of languages)
    for (const theme of themes) await mkdir(join(output, language, theme), { recursive: true });
  const shots = await shootAll(
    browser,
    output,
    everyView.filter(({ name }) => name.startsWith(chosen)),
  );
  return { pictures: shots.length, sheets: await writeSheets(browser, output, shots) };
}
