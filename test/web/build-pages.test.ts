import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { legalDocument, legalPages, locales } from '../../functions/domain/locale.ts';
import { modes, type Mode } from '../../functions/domain/mode.ts';
import { buildHostedPage } from '../../lib/build/pages.ts';
import { buildDashboard } from '../../lib/build/dashboard.ts';

const directories: string[] = [];
let files: Map<string, string>;

async function build(mode: Mode = 'sandbox'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'built-page-'));
  directories.push(directory);
  await buildHostedPage(directory, mode);
  return directory;
}

async function contentOf(directory: string): Promise<Map<string, string>> {
  const names = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(
    await Promise.all(paths.map(async (path) => [path.slice(directory.length), await readFile(path, 'utf8')] as const)),
  );
}

beforeAll(async () => {
  files = await contentOf(await build());
});
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

const documents = ['/index.html', '/index.es.html'];

test('there is one document per language, and nothing else but the pages they link to', () => {
  const linked = legalPages.flatMap((page) => locales.map((locale) => `/${legalDocument(page, locale)}`));
  expect([...files.keys()]).toEqual([...documents, ...linked].sort());
});

test.each(documents)('%s allows exactly the scripts and the style that stand in it', (document) => {
  const html = files.get(document) ?? '';
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  const hashes = (name: string) =>
    [...html.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(
      ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
    );
  expect([hashes('script').length, hashes('style').length]).toEqual([2, 1]);
  expect(policy).toContain(`script-src ${hashes('script').join(' ')};`);
  expect(policy).toContain(`style-src ${hashes('style').join(' ')};`);
  expect(html.indexOf('http-equiv')).toBeLessThan(html.indexOf('<script'));
});

test.each(documents)('the first script of %s can be read by any browser', async (document) => {
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(files.get(document) ?? '') ?? [];
  expect(script).toContain('/api/patient/session');
  const readFor = async (target: string) => (await transform(script, { target })).code;
  expect(await readFor('es5')).toBe(await readFor('esnext'));
});

test('the same sources build to the same bytes, also over an older build', async () => {
  const directory = await build();
  expect(await contentOf(directory)).toEqual(files);
  await buildHostedPage(directory, 'sandbox');
  expect(await contentOf(directory)).toEqual(files);
});

test.each(documents)('%s loads nothing else, and has no inline attribute', (document) => {
  const html = (files.get(document) ?? '').replaceAll(/<(script|style)>.*?<\/\1>|data:[^"]*/gs, '');
  expect(html).toContain('<h1>');
  expect(html).not.toMatch(/ style=|\son\w+=|src=|stylesheet/);
  expect(html.replace("xmlns='http://www.w3.org/2000/svg'", '')).not.toMatch(/https?:\/\//);
});

test.each([
  ['/index.html', 'Test mode: no money will move'],
  ['/index.es.html', 'Modo de prueba: no se cobrará nada'],
])(
  '%s says that it is a sandbox before any script runs, and says nothing of it on a live stage',
  async (document, words) => {
    expect(files.get(document)).toContain(`>${words}<`);
    expect((await contentOf(await build('live'))).get(document)).not.toContain(`>${words}<`);
  },
);

test('the documents differ only in their words and their main script', () => {
  const bare = documents.map((document) =>
    (files.get(document) ?? '')
      .replaceAll(/<script>.*?<\/script>/gs, '<script></script>')
      .replaceAll(/>[^<]+</g, '><')
      .replaceAll(/(content|lang|href)="[^"]*"/g, '$1=""'),
  );
  expect(bare[1]).toBe(bare[0]);
  expect(bare[0]).toContain('<a class="language"');
});

test.each(documents.flatMap((document) => modes.map((mode) => [document, mode] as const)))(
  '%s is at most 23.4 kB compressed (%s)',
  async (document, mode) => {
    const html = (await contentOf(await build(mode))).get(document) ?? '';
    const compressed = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    expect(html).not.toBe('');
    expect(compressed.length).toBeLessThanOrEqual(23_400);
  },
);

test("a live page has no sandbox bank, and a sandbox's has nothing of Stripe", async () => {
  const ofMode = async (mode: Mode) => {
    const content = await contentOf(await build(mode));
    return documents.map((document) => content.get(document)).join('\n');
  };
  const [sandbox, live] = [await ofMode('sandbox'), await ofMode('live')];
  const sandboxBank = /Sandbox Bank|sandbox_bank|unavailable_bank|test-user/;
  expect([/stripe/i.test(sandbox), sandboxBank.test(sandbox)]).toEqual([false, true]);
  expect([live.includes('https://js.stripe.com/v3/'), sandboxBank.test(live)]).toEqual([true, false]);
});

test('only a live page sends its origin, for banks that need it, and never the link', async () => {
  const referrersOf = (content: Map<string, string>) =>
    documents.map((document) => /name="referrer" content="([\w-]+)"/.exec(content.get(document) ?? '')?.[1]);
  expect(referrersOf(files)).toEqual(['no-referrer', 'no-referrer']);
  expect(referrersOf(await contentOf(await build('live')))).toEqual(['strict-origin', 'strict-origin']);
});

test.each([
  ['/index.html', 'Pay your medical bill'],
  ['/index.es.html', 'Pague su factura médica'],
])('a preview of a link to %s says the same for everybody', (document, title) => {
  const html = files.get(document) ?? '';
  expect(html).toContain(`<title>${title}</title>`);
  expect(html).toContain(`<meta property="og:title" content="${title}">`);
  expect(html).toMatch(/<meta name="description" property="og:description" content="[^"]+">/);
  expect(html).toMatch(/name="theme-color" content="[^"]+"/);
  expect(html).toContain('<link rel="icon" href="data:image/svg+xml,');
});

test('a document has the texts of one language only', () => {
  const [english = '', spanish = ''] = documents.map((document) => files.get(document));
  expect([/Review and authorize/.test(english), /Revise y autorice/.test(english)]).toEqual([true, false]);
  expect([/Review and authorize/.test(spanish), /Revise y autorice/.test(spanish)]).toEqual([false, true]);
});

describe('the dashboard', () => {
  let directory: string;
  let html: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'built-dashboard-'));
    await buildDashboard(directory, 'sandbox');
    html = await readFile(join(directory, 'index.html'), 'utf8');
  });
  afterAll(() => rm(directory, { recursive: true }));

  test('the document refers to a script and a style by absolute paths that change with their content', async () => {
    const named = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThanOrEqual(2);
    const assets = (await readdir(join(directory, 'assets'))).map((name) => `/assets/${name}`);
    for (const path of named) {
      expect(path).toMatch(/^\/assets\/[\w-]+-[A-Z0-9]{8}\.(js|css)$/);
      expect(assets).toContain(path);
    }
  });

  test('the document has nothing inline and loads nothing from elsewhere', () => {
    expect(html).not.toMatch(/<style|<script(?![^>]*src=)|style=|\son\w+=|https?:\/\//);
  });
});
