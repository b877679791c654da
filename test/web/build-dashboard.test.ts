import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../../lib/build/dashboard.ts';

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
