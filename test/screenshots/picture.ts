import type { Page } from 'playwright-core';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** US Letter without the print margins, which a picture does not show. */
const paper = { width: 720, height: 960 };

async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    document
      .getAnimations()
      .forEach((animation) => animation.effect?.getComputedTiming().endTime !== Infinity && animation.finish());
  });
}

export async function chooseTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await settled(page);
}

/** Shows more than the window without scrolling, which would put a bottom bar over something. */
export async function shootWhole(page: Page, path: string, most = Infinity): Promise<void> {
  const size = page.viewportSize();
  const height = Math.min(most, await page.evaluate(() => document.documentElement.scrollHeight));
  const grows = size !== null && height > size.height;
  if (grows) await page.setViewportSize({ ...size, height });
  await page.screenshot({ path });
  if (grows) await page.setViewportSize(size);
}

/** Writes a picture beside the PDF, which cannot be turned into one here. `path` has no extension. */
export async function shootPaper(page: Page, path: string): Promise<void> {
  const size = page.viewportSize();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.pdf({ path: `${path}.pdf`, preferCSSPageSize: true, format: 'Letter' });
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: `${path}.png` });
  await page.emulateMedia({ media: 'screen' });
  if (size !== null) await page.setViewportSize(size);
}

export interface Figure {
  readonly group: string;
  readonly caption: string;
  readonly picture: string;
  readonly opens: string;
  readonly width: number;
}

export function contactSheet(title: string, figures: readonly Figure[]): string {
  const groups = Map.groupBy(figures, ({ group }) => group);
  const sections = [...groups].map(
    ([group, pictures]) => `<section><h2>${group}</h2><div>${pictures.map(figure).join('')}</div></section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
  body { margin: 16px; background: #8d9399; color: #111; font: 13px/1.3 sans-serif; }
  main { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
  h1 { font-size: 18px; }
  h2 { margin: 0 0 4px; font-size: 14px; }
  section { background: #c3c8cd; padding: 8px; }
  section div { display: flex; flex-wrap: wrap; gap: 8px; align-items: flex-start; }
  figure { margin: 0; }
  img { display: block; }
</style>
<h1>${title}</h1>
<main>${sections.join('\n')}</main>
</html>
`;
}

function figure({ caption, picture, opens, width }: Figure): string {
  return `<figure><a href="${opens}"><img src="${picture}" alt="${caption}" width="${width}"></a><figcaption>${caption}</figcaption></figure>`;
}
