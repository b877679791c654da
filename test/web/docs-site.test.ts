// @module-tag browser

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { transitions } from '../../functions/domain/sessions/transitions.ts';
import { handler as serveIndex } from '../../functions/viewer/serve-index.ts';
import { buildDocs } from '../../lib/build/docs.ts';
import { contentSecurityPolicy } from '../../lib/build/content-security-policy.ts';
import { decisionPages, docsPages, menuPages, otherPages } from '../../lib/docs/pages.ts';
import { onStack } from '../support/on-stack.ts';
import { startServer } from '../support/server.ts';
import { objections } from './axe.ts';
import { skipDrawing } from './journey.ts';

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
const desktop = { width: 1280, height: 800 };
const smallPhone = { width: 320, height: 568 };
const paths = docsPages.map(({ path }) => path);
/** Decisions differ only in their text, so the first stands for all. */
const distinctPaths = [...menuPages, ...otherPages, ...decisionPages.slice(0, 1)].map(({ path }) => path);

/** Axe cannot determine the background of text in SVG. It has the same colors as other text. */
const isInDiagram = /unsure: color-contrast at (text\[|\.after)/;

let site: string;
let origin: string;
let browser: Browser;
let shared: Awaited<ReturnType<typeof openIn>>;
/** One renderer writes all pages, so axe inspects the first that has some kind of element, those with most kinds first. */
const pathsToInspect = new Set<string>();

onStack.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  site = await mkdtemp(join(tmpdir(), 'built-docs-'));
  await buildDocs(site);
  const server = createServer((request, response) => {
    const file = fileOf(request.url ?? '');
    const type = types[file.split('.').at(-1) ?? ''] ?? '';
    const headers = { 'content-type': type, 'content-security-policy': contentSecurityPolicy };
    readFile(file).then(
      (content) => response.writeHead(200, headers).end(content),
      () => response.writeHead(404).end(),
    );
  });
  origin = `http://127.0.0.1:${await startServer(server, afterAll)}`;
  await chooseToInspect();
  const context = await browser.newContext({ viewport: desktop });
  afterAll(() => context.close());
  shared = await openIn(context);
  await skipDrawing(shared.page);
});
afterAll(() => rm(site, { recursive: true }));

function fileOf(path: string): string {
  const answer = serveIndex({ viewer: { ip: '192.0.2.1' }, request: { uri: path, querystring: {}, headers: {} } });
  return join(site, 'uri' in answer ? answer.uri : '');
}
const htmlOf = (path: string) => readFile(fileOf(path), 'utf8');
const linksIn = (html: string) => [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
const ownLinksIn = (html: string) => linksIn(html).filter((target) => !/^(https:|data:|\/assets\/)/.test(target));

async function brokenLinksOf(path: string): Promise<string[]> {
  const html = await htmlOf(path);
  const broken = ownLinksIn(html).map(async (target) => {
    if (target === '/' || target === '/openapi.json') return [];
    const [file = '', anchor] = target.split('#');
    if (file !== '' && !paths.includes(file)) return [target];
    if (anchor === undefined) return [];
    const other = file === '' ? html : await htmlOf(file);
    return other.includes(`id="${anchor}"`) ? [] : [target];
  });
  return (await Promise.all(broken)).flat();
}

/** The kinds of elements: names, classes, and what else is the same wherever they are. */
function kindsIn(html: string): string[] {
  return [...html.matchAll(/<(\w+)([^>]*)>/g)].map(([, name = '', attributes = '']) => {
    const fixed = [...attributes.matchAll(/ (?:class|role|scope|tabindex|type|aria-current)="[^"]*"/g)];
    return `${name}${fixed.join('')}`;
  });
}

async function chooseToInspect(): Promise<void> {
  const known = new Set<string>();
  const pages = await Promise.all(
    distinctPaths.map(async (path) => ({ path, kinds: new Set(kindsIn(await htmlOf(path))) })),
  );
  for (const { path, kinds } of pages.sort((one, other) => other.kinds.size - one.kinds.size)) {
    const before = known.size;
    for (const kind of kinds) known.add(kind);
    if (known.size > before) pathsToInspect.add(path);
  }
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: desktop, ...options });
  onTestFinished(() => context.close());
  const { page } = await openIn(context);
  await page.goto(`${origin}${path}`);
  return page;
}

async function openIn(context: BrowserContext): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(message.text()));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('data:')) faults.push(request.url());
  });
  return { page, faults };
}

describe.each(distinctPaths)('%s', (path) => {
  test('takes at most 50 kB, compressed, with its style and script', async () => {
    const html = await htmlOf(path);
    const assets = linksIn(html).filter((target) => target.startsWith('/assets/'));
    expect(assets).toHaveLength(2);
    const files = [html, ...(await Promise.all(assets.map((asset) => readFile(join(site, asset)))))];
    expect(files.reduce((sum, file) => sum + gzipSync(file).length, 0)).toBeLessThan(50_000);
  });

  test('links only to pages and anchors that exist', async () => {
    expect(ownLinksIn(await htmlOf(path)).length).toBeGreaterThan(10);
    expect(await brokenLinksOf(path)).toEqual([]);
  });

  test('has no id twice', async () => {
    const ids = [...(await htmlOf(path)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('fits a small phone, loads nothing from other hosts, and is accessible', async () => {
    await shared.page.setViewportSize(smallPhone);
    await shared.page.goto(`${origin}${path}`);
    expect(shared.faults.splice(0)).toEqual([]);
    expect(await shared.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    if (!pathsToInspect.has(path)) return;
    await shared.page.setViewportSize(desktop);
    const found = await objections(shared.page);
    expect(found.filter((objection) => !isInDiagram.test(objection)).join('; ')).toBe('');
  });
});

test.each(paths)('the headings of %s skip no level', async (path) => {
  const levels = [...(await htmlOf(path)).matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
});

test('decisions link only to pages and anchors that exist', async () => {
  expect(decisionPages.length).toBeGreaterThan(90);
  expect((await Promise.all(decisionPages.map(({ path }) => brokenLinksOf(path)))).flat()).toEqual([]);
});

test('a decision is reached from the list, and leads to its neighbors in age', async () => {
  const page = await open('/docs/decisions');
  const [, second = '', third = ''] = decisionPages.map(({ title }) => title);
  await page.getByRole('main').getByRole('link', { name: second }).click();
  await page.getByRole('heading', { level: 1, name: second }).waitFor();
  await page.getByRole('link', { name: `Next ${third}` }).click();
  await page.getByRole('heading', { level: 1, name: third }).waitFor();
  expect(page.url()).toBe(`${origin}/docs/decisions/0003`);
});

describe('samples in several languages', () => {
  const shown = (page: Page) => page.locator('.samples').first().locator('.sample:visible');

  test('are chosen with the keyboard, on this page and the next', async () => {
    const page = await open('/docs/sessions');
    await page.locator('.samples input').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await shown(page).textContent()).toContain('from payments import payments');
    await page.goto(`${origin}/docs/testing`);
    expect(await shown(page).textContent()).toContain('from payments import payments');
  });

  test('are chosen without a script too', async () => {
    const page = await open('/docs/sessions', { javaScriptEnabled: false });
    expect(await shown(page).textContent()).toContain('curl');
    await page.getByText('TypeScript', { exact: true }).first().click();
    expect(await shown(page).textContent()).toContain('await payments');
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  test('can be copied', async () => {
    const page = await open('/docs/sessions', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -s/);
  });
});

test('the search finds a code and a heading with the keyboard alone, and is not there without a script', async () => {
  const page = await open('/docs/');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency_key_reu');
  await page.getByRole('link', { name: 'idempotency_key_reused Errors' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/docs/errors#idempotency_key_reused`);
  await page.keyboard.press('/');
  await page.keyboard.type('rotate secr');
  await page.getByRole('link', { name: 'Rotate a secret Webhook endpoints' }).waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await objections(page, '[role=search]')).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/webhook/);
  await page.keyboard.press('/');
  await page.keyboard.type('xyzzy');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('search').getByRole('status').textContent()).toBe('');
  const plain = await open('/docs/', { javaScriptEnabled: false });
  expect(await plain.getByRole('search').count()).toBe(0);
});

test("a phone's table says columns in plain words", async () => {
  const labels = await Promise.all(
    paths.map(async (path) => [...(await htmlOf(path)).matchAll(/data-label="([^"]*)"/g)].map(([, label]) => label)),
  );
  expect(labels.flat()).toContain('Facts in data');
  expect(labels.flat().filter((label) => label?.includes('`'))).toEqual([]);
});

test("a problem's address leads to the entry of its code", async () => {
  const page = await open('/docs/errors#idempotency_key_reused');
  expect(await page.locator(':target').innerText()).toMatch(/^idempotency_key_reused\s+422/);
});

test('the diagram of the statuses has each transition', async () => {
  const edges = [...(await htmlOf('/docs/sessions')).matchAll(/data-transition="([^"]+)"/g)].map(([, edge]) => edge);
  const actual = Object.values(transitions).flatMap(({ from, to }) => from.map((status) => `${status} ${to}`));
  expect(edges.sort()).toEqual([...new Set(actual)].sort());
});
