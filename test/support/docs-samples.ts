import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../docs/pages.ts';

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
