import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildHostedPage } from '../../lib/build-pages.ts';
import { table } from './report.ts';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const brotli = (file: Buffer) => brotliCompressSync(file, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/** Measures what a browser loads before a patient can act. */
export async function benchPageBytes(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  await buildHostedPage(directory, 'sandbox');
  const rows: string[][] = [];
  for (const document of (await readdir(directory)).filter((name) => name.endsWith('.html')).sort()) {
    const html = await readFile(join(directory, document));
    const assets = [...html.toString().matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const files = [html, ...(await Promise.all(assets.map((path) => readFile(join(directory, path)))))];
    const total = (compress: (file: Buffer) => Buffer) =>
      kilobytes(files.reduce((sum, file) => sum + compress(file).length, 0));
    rows.push([
      `\`${document}\`: ${files.length} files`,
      total((file) => file),
      total((file) => gzipSync(file)),
      total(brotli),
    ]);
  }
  await rm(directory, { recursive: true });
  return table(['hosted page before interaction: HTML, CSS, JS', 'as built', 'gzip', 'brotli, level 5'], rows);
}
