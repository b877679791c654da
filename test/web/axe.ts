import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { NodeResult, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { clip } from './journey.ts';
import { layoutFaults } from './layout-faults.ts';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const loadAxe = `globalThis.loadAxe = () => {${source}}`;

const resultTypes: RunOptions['resultTypes'] = ['violations', 'incomplete'];
const rules = {
  structure: {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes,
    // The first two are the color rules; the others are covered by layout-faults.ts.
    rules: {
      'color-contrast': { enabled: false },
      'link-in-text-block': { enabled: false },
      'scrollable-region-focusable': { enabled: false },
      'target-size': { enabled: false },
    },
  },
  colors: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }, resultTypes },
} satisfies Record<string, RunOptions>;

const groundOf = { light: /^rgb\((?:(?:1[3-9]|2)\d\d?(?:, )?){3}\)$/, dark: /^rgb\((?:\d{1,2}(?:, )?){3}\)$/ };

// Axe takes longer than everything else in most tests, so it inspects each markup and each look of text once.
const structureOf = new Map<string, string[]>();
const legible = new Set<string>();

/** Call this before the first visit if most documents are inspected: then the browser compiles axe only once. */
export async function keepAxe(page: Page): Promise<void> {
  await page.addInitScript(loadAxe);
}

/** What axe objects to in the whole page, or in the part that a selector names. The page stays dark and is not drawn anymore. */
export async function objections(page: Page, part = 'html'): Promise<string[]> {
  await clip(page);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const markup = await page.evaluate(markupWithoutWords, part);
  const structure = structureOf.get(markup) ?? (await inspect(page, 'structure', part));
  structureOf.set(markup, structure);
  const light = await illegible(page, 'light', part);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await illegible(page, 'dark', part);
  return [...structure, ...light, ...dark, ...(await layoutFaults(page, part))];
}

async function illegible(page: Page, colorScheme: 'light' | 'dark', part: string): Promise<string[]> {
  const { ground, looks } = await page.evaluate(findLooks, part);
  expect(ground, colorScheme).toMatch(groundOf[colorScheme]);
  const unknown = looks.filter((look) => !legible.has(look));
  if (unknown.length === 0) return [];
  const found = await inspect(page, 'colors', part, unknown);
  if (found.length === 0) for (const look of unknown) legible.add(look);
  return found.map((objection) => `${colorScheme}: ${objection}`);
}

async function inspect(
  page: Page,
  ruleSet: keyof typeof rules,
  part: string,
  looks?: readonly string[],
): Promise<string[]> {
  const run = () => page.evaluate(runAxe, [rules[ruleSet] as RunOptions, part, looks] as const);
  const { violations, incomplete } =
    (await run()) ?? (await page.evaluate(loadAxe), await run()) ?? expect.fail('Axe is not there.');
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node))),
    ...incomplete.flatMap(({ id, nodes }) =>
      nodes.filter((node) => !isExplained(id, node)).map((node) => `unsure: ${told(id, node)}`),
    ),
  ];
}

/** Runs in the page. */
async function runAxe([options, part, looks]: readonly [RunOptions, string, readonly string[] | undefined]) {
  const inspected = globalThis as unknown as Inspected;
  if (!inspected.axe) inspected.loadAxe?.();
  const include = looks?.map((look) => inspected.withLook.get(look)!);
  return inspected.axe?.run(include ? { include } : part, options);
}

interface Inspected {
  readonly axe?: typeof Axe;
  readonly loadAxe?: () => void;
  /** An element for each look. */
  readonly withLook: ReadonlyMap<string, Element>;
}

/** Runs in the page. Only says whether there are words. */
function markupWithoutWords(part: string): string {
  const copy = document.querySelector(part)!.cloneNode(true) as Element;
  for (const script of copy.querySelectorAll('script')) script.remove();
  const wordy = ['alt', 'aria-label', 'content', 'href', 'hreflang', 'lang', 'placeholder', 'src', 'title', 'value'];
  for (const element of [copy, ...copy.querySelectorAll('*')])
    for (const name of wordy) if (element.getAttribute(name)?.trim()) element.setAttribute(name, 'words');
  const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.nodeValue?.trim() && text.parentElement?.tagName !== 'STYLE') text.nodeValue = 'words';
  }
  return `${window.innerWidth} ${copy.outerHTML}`;
}

/** Runs in the page. A look is everything that decides whether text is legible: its style, and the styles behind it. */
function findLooks(part: string): { ground: string; looks: string[] } {
  const stacks = new Map<Element, string>();
  function stackOf(element: Element): string {
    const known = stacks.get(element);
    if (known !== undefined) return known;
    const { color, backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const own = `/${[color, backgroundColor, backgroundImage, opacity].join()}`;
    const below = element.parentElement ? stackOf(element.parentElement) : '';
    const stack = below.endsWith(own) ? below : below + own;
    stacks.set(element, stack);
    return stack;
  }
  const withLook = new Map<string, Element>();
  function note(element: Element): void {
    const { fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
    // A link must differ from the text around it.
    const around = element.tagName === 'A' && getComputedStyle(element.parentElement!).fontWeight;
    const look = [around, fontSize, fontWeight, textDecorationLine, stackOf(element)].join(' ');
    if (!withLook.has(look) && element.checkVisibility()) withLook.set(look, element);
  }
  const root = part === 'html' ? document.body : document.querySelector(part)!;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (texts.currentNode.nodeValue?.trim() && texts.currentNode.parentElement) note(texts.currentNode.parentElement);
  for (const field of root.querySelectorAll('input, select, textarea')) note(field);
  Object.assign(globalThis, { withLook });
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  return { ground, looks: [...withLook.keys()] };
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
  // An empty field shows no words.
  if (any.some(({ message }) => message.startsWith('Element has no value'))) return true;
  // A bar that sticks covers them until someone scrolls.
  return (
    /^\.authorization|\b(?:h2|label(?:\[[^\]]+\])?)$/.test(String(target[0])) &&
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
