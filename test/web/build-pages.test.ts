import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { Mode } from '../../functions/domain/mode.ts';
import { buildHostedPage } from '../../lib/build-pages.ts';

const directories: string[] = [];

async function built(mode: Mode = 'sandbox'): Promise<string> {
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

afterEach(async () => {
  await Promise.all(directories.splice(0).map((directory) => rm(directory, { recursive: true })));
});

const documents = ['/index.html', '/index.es.html'];

test.each(documents)(
  '%s names its script and style by paths that exist and change with their content',
  async (document) => {
    const files = await contentOf(await built());
    const html = files.get(document) ?? '';
    const named = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
    expect(named).toHaveLength(2);
    for (const path of named) {
      expect(path).toMatch(/^\/assets\/(main|style)-[A-Z0-9]{8}\.(js|css)$/);
      expect([...files.keys()]).toContain(path);
    }
  },
);

test('the same sources give the same bytes, also where an older build lies', async () => {
  const directory = await built();
  const first = await contentOf(directory);
  await buildHostedPage(directory, 'sandbox');
  expect(await contentOf(directory)).toEqual(first);
  expect(await contentOf(await built())).toEqual(first);
});

test.each(documents)('nothing in %s is inline and nothing comes from elsewhere', async (document) => {
  const html = (await contentOf(await built())).get(document) ?? '';
  expect(html).not.toBe('');
  expect(html).not.toMatch(/<style|<script(?![^>]*src=)|style=|\son\w+=/);
  expect(html).not.toMatch(/https?:\/\//);
});

test.each([
  ['/index.html', 'Sandbox: no money moves'],
  ['/index.es.html', 'Modo de prueba: no se mueve dinero'],
])('%s of a sandbox says so before any script runs, and of a live stage never', async (document, words) => {
  expect((await contentOf(await built('sandbox'))).get(document)).toContain(words);
  expect((await contentOf(await built('live'))).get(document)).not.toContain('sandbox');
});

test('the documents differ in their words and their script alone', async () => {
  const files = await contentOf(await built());
  const bare = documents.map((document) =>
    (files.get(document) ?? '')
      .replaceAll(/>[^<]+</g, '><')
      .replaceAll(/(content|lang|href)="[^"/]*"/g, '$1=""')
      .replace(/main-[A-Z0-9]{8}/, 'main'),
  );
  expect(bare[1]).toBe(bare[0]);
  expect(bare[0]).toContain('<a class="language"');
});

test.each(documents)(
  'everything before the first interaction of %s weighs at most 20 kB compressed',
  async (document) => {
    const files = await contentOf(await built());
    const needed = [...files].filter(([path]) => path === document || files.get(document)?.includes(`"${path}"`));
    expect(needed).toHaveLength(3);
    const bytes = needed.reduce((sum, [, content]) => sum + gzipSync(content).length, 0);
    expect(bytes).toBeLessThanOrEqual(20_000);
  },
);

test("the script of a language holds no other language's texts", async () => {
  const files = await contentOf(await built());
  const scriptOf = (document: string) =>
    [...files].find(([path]) => path.endsWith('.js') && files.get(document)?.includes(path))?.[1] ?? '';
  const [english, spanish] = documents.map(scriptOf);
  expect([/Review and authorize/.test(english ?? ''), /Revise y autorice/.test(english ?? '')]).toEqual([true, false]);
  expect([/Review and authorize/.test(spanish ?? ''), /Revise y autorice/.test(spanish ?? '')]).toEqual([false, true]);
});
