import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { pageDocuments } from '../../functions/domain/locale.ts';
import { modes } from '../../functions/domain/mode.ts';
import { buildHostedPage } from '../../lib/build/pages.ts';
import { table } from './report.ts';

const kilobytes = ({ length }: Buffer) => `${(length / 1000).toFixed(1)} kB`;
const brotli = (file: Buffer) => brotliCompressSync(file, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/** Measures what a browser loads before a patient can act. */
export async function benchPageBytes(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const rows: string[][] = [];
  for (const mode of modes) {
    await buildHostedPage(directory, mode);
    for (const document of Object.values(pageDocuments).sort()) {
      const html = await readFile(join(directory, document));
      rows.push([
        `\`${document}\`, ${mode}`,
        kilobytes(html),
        ...[gzipSync(html), brotli(html)].map((file) => kilobytes(file)),
      ]);
    }
  }
  await rm(directory, { recursive: true });
  return table(['hosted page before interaction: one document', 'as built', 'gzip', 'brotli, level 5'], rows);
}
