import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const sources = resolve(import.meta.dirname, '../web/hosted-page');

/**
 * Builds the hosted page into `outdir`: `index.html`, and script and style under names that change with their content, so that they may be cached for ever.
 * The same sources give the same bytes.
 */
export async function buildHostedPage(outdir: string): Promise<void> {
  await rm(join(outdir, 'assets'), { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const entryPoints = ['main.tsx', 'style.css'];
  const { metafile } = await build({
    absWorkingDir: sources,
    entryPoints,
    outdir: resolve(outdir),
    entryNames: 'assets/[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome100', 'firefox100', 'safari16'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  });

  let html = await readFile(join(sources, 'index.html'), 'utf8');
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    // Absolute, as the page itself lives at /s/<token>.
    if (entryPoint) html = html.replace(`"./${entryPoint}"`, `"/${relative(resolve(outdir), resolve(sources, path))}"`);
  }
  await writeFile(join(outdir, 'index.html'), html);
}
