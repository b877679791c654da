import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

export const sampleLanguages = ['sh', 'ts', 'python'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

export interface Sample {
  readonly language: SampleLanguage;
  /** The name of the file that a reader saves it to, or a word for the tests. */
  readonly name: string | undefined;
  readonly text: string;
}

export function samplesIn(markdown: string): Sample[] {
  const fences = markdown.matchAll(/^```(sh|ts|python)(?: ([\w.]+))?\n([^]*?)^```$/gm);
  return [...fences].map(([, language, name, text = '']) => ({ language: language as SampleLanguage, name, text }));
}

/** Installs the client as `npm i` of its package would. */
export async function installClient(directory: string): Promise<void> {
  const folder = join(directory, 'node_modules/patient-invoice-payment-client');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}');
  await build({
    entryPoints: [join(root, 'web/client/index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
}

export const root = resolve(import.meta.dirname, '../..');

export const docs = [...markdownIn('web/docs'), 'web/docs/example/README.md', ...markdownIn('web/docs/decisions')];

/** Their samples are run and compiled. */
export const pagesWithSamples = [
  'integrate',
  'clients',
  'sessions',
  'testing',
  'events',
  'webhook-endpoints',
  'errors',
  'webhooks',
] as const;

export const decisions = docs.filter((page) => /\/decisions\/\d{4}-/.test(page)).sort();

export function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function sectionOf(text: string, heading: string): string {
  const level = heading.indexOf(' ');
  const lines = text.split('\n');
  const start = lines.indexOf(heading);
  if (start === -1) throw new Error(`there is no "${heading}"`);
  const end = lines.findIndex((line, index) => index > start && new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n');
}

export function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `') || /^\| \d/.test(line))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ ?(?<!\\)\| ?/)
        .map((cell) => cell.replaceAll('`', '')),
    );
}
