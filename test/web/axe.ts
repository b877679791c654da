import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { NodeResult, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const resultTypes: RunOptions['resultTypes'] = ['violations', 'incomplete'];
const ruleSets = {
  all: {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes,
    rules: { 'target-size': { enabled: true } },
  },
  colors: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }, resultTypes },
  layout: { runOnly: { type: 'rule', values: ['scrollable-region-focusable', 'target-size'] }, resultTypes },
} satisfies Record<string, RunOptions>;

const groundOf = { light: /^rgb\((?:(?:1[3-9]|2)\d\d?(?:, )?){3}\)$/, dark: /^rgb\((?:\d{1,2}(?:, )?){3}\)$/ };

/** To the whole page, or to the part that a selector names. */
export async function objections(page: Page, part?: string): Promise<string[]> {
  // The dark theme differs only in color.
  return [...(await objectionsIn(page, 'light', 'all', part)), ...(await objectionsIn(page, 'dark', 'colors', part))];
}

/** To what a change of the window's size can break, if the rest was checked at another size. */
export function layoutObjections(page: Page, part?: string): Promise<string[]> {
  return run(page, 'layout', part);
}

async function objectionsIn(
  page: Page,
  colorScheme: 'light' | 'dark',
  ruleSet: keyof typeof ruleSets,
  part?: string,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(ground, colorScheme).toMatch(groundOf[colorScheme]);
  const found = await run(page, ruleSet, part);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return found.map((objection) => `${colorScheme}: ${objection}`);
}

async function run(page: Page, ruleSet: keyof typeof ruleSets, part?: string): Promise<string[]> {
  // Compiling it takes as long as running it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations, incomplete } = await page.evaluate(
    ([selector, options]) => (globalThis as unknown as { axe: typeof Axe }).axe.run(selector ?? document, options),
    [part, ruleSets[ruleSet] as RunOptions] as const,
  );
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node))),
    ...incomplete.flatMap(({ id, nodes }) =>
      nodes.filter((node) => !isExplained(id, node)).map((node) => `unsure: ${told(id, node)}`),
    ),
  ];
}

function told(rule: string, { target, failureSummary, any }: NodeResult): string {
  return `${rule} at ${target.join(' ')}: ${any.map(({ message }) => message).join('; ') || failureSummary}`;
}

function isExplained(rule: string, { target, any }: NodeResult): boolean {
  if (rule !== 'color-contrast') return false;
  // The words are on the opaque half of the fade.
  if (String(target[0]).startsWith('.read-on')) return true;
  // The button is opaque, and its bar floats over the authorization.
  if (target[0] === '.notice' && any.some(({ message }) => message.includes('partially overlaps'))) return true;
  // The bar covers the authorization until the patient scrolls.
  return (
    /^(?:h2$|\.authorization)/.test(String(target[0])) &&
    any.some(({ message }) => message.includes('overlapped by another element'))
  );
}

/** Axe is a script, so it treats noscript as hidden. */
export async function unwrapNoscript(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noscript = document.querySelector('noscript');
    for (const hidden of document.querySelectorAll('.loading'))
      if (hidden.getBoundingClientRect().height === 0) hidden.remove();
    noscript?.replaceWith(...noscript.childNodes);
  });
}
