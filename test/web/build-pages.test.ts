import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modes, type Mode } from '../../functions/domain/mode.ts';
import { buildHostedPage } from '../../lib/build-pages.ts';

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

test.each(documents)(
  '%s refers to a script and a style by paths that exist and change with their content',
  (document) => {
    const html = files.get(document) ?? '';
    const named = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
    expect(named).toHaveLength(2);
    for (const path of named) {
      expect(path).toMatch(/^\/assets\/(main|style)-[A-Z0-9]{8}\.(js|css)$/);
      expect([...files.keys()]).toContain(path);
    }
  },
);

test('the same sources build to the same bytes, also over an older build', async () => {
  const directory = await build();
  expect(await contentOf(directory)).toEqual(files);
  await buildHostedPage(directory, 'sandbox');
  expect(await contentOf(directory)).toEqual(files);
});

test.each(documents)('%s has nothing inline and loads nothing from elsewhere', (document) => {
  const html = files.get(document) ?? '';
  expect(html).not.toBe('');
  expect(html).not.toMatch(/<style|<script(?![^>]*src=)|style=|\son\w+=/);
  expect(html).not.toMatch(/https?:\/\//);
});

test.each([
  ['/index.html', 'Sandbox: no money moves'],
  ['/index.es.html', 'Modo de prueba: no se mueve dinero'],
])(
  '%s says that it is a sandbox before any script runs, and says nothing of it on a live stage',
  async (document, words) => {
    expect(files.get(document)).toContain(words);
    expect((await contentOf(await build('live'))).get(document)).not.toContain('sandbox');
  },
);

test('the documents differ only in their words and their script', () => {
  const bare = documents.map((document) =>
    (files.get(document) ?? '')
      .replaceAll(/>[^<]+</g, '><')
      .replaceAll(/(content|lang|href)="[^"/]*"/g, '$1=""')
      .replace(/main-[A-Z0-9]{8}/, 'main'),
  );
  expect(bare[1]).toBe(bare[0]);
  expect(bare[0]).toContain('<a class="language"');
});

test.each(documents.flatMap((document) => modes.map((mode) => [document, mode] as const)))(
  'everything that %s loads at first is at most 20 kB compressed (%s)',
  async (document, mode) => {
    const built = await contentOf(await build(mode));
    const needed = [...built].filter(([path]) => path === document || built.get(document)?.includes(`"${path}"`));
    expect(needed).toHaveLength(3);
    const bytes = needed.reduce((sum, [, content]) => sum + gzipSync(content).length, 0);
    expect(bytes).toBeLessThanOrEqual(20_000);
  },
);

test("a live page has no sandbox bank, and a sandbox's has nothing of Stripe", async () => {
  const ofMode = async (mode: Mode) => [...(await contentOf(await build(mode))).values()].join('\n');
  const [sandbox, live] = [await ofMode('sandbox'), await ofMode('live')];
  const sandboxBank = /Sandbox Bank|sandbox_bank|unavailable_bank|test-user/;
  expect([/stripe/i.test(sandbox), sandboxBank.test(sandbox)]).toEqual([false, true]);
  expect([live.includes('https://js.stripe.com/v3/'), sandboxBank.test(live)]).toEqual([true, false]);
});

test('only a live page tells where a request comes from, for banks that ask, and never the link', async () => {
  const referrersOf = (content: Map<string, string>) =>
    documents.map((document) => /name="referrer" content="([\w-]+)"/.exec(content.get(document) ?? '')?.[1]);
  expect(referrersOf(files)).toEqual(['no-referrer', 'no-referrer']);
  expect(referrersOf(await contentOf(await build('live')))).toEqual(['strict-origin', 'strict-origin']);
});

test('a script has the texts of one language only', () => {
  const scriptOf = (document: string) =>
    [...files].find(([path]) => path.endsWith('.js') && files.get(document)?.includes(path))?.[1] ?? '';
  const [english, spanish] = documents.map(scriptOf);
  expect([/Review and authorize/.test(english ?? ''), /Revise y autorice/.test(english ?? '')]).toEqual([true, false]);
  expect([/Review and authorize/.test(spanish ?? ''), /Revise y autorice/.test(spanish ?? '')]).toEqual([false, true]);
});
