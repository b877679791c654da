import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { pageDocuments } from '../functions/domain/locale.ts';
import type { Mode } from '../functions/domain/mode.ts';
import { stripeOrigins, type StripeSettings } from './stripe.ts';

const sources = resolve(import.meta.dirname, '../web/hosted-page');

const sandboxLine = / *<p class="sandbox">.*<\/p>\n/;

export async function buildHostedPage(
  outdir: string,
  mode: Mode,
  { scriptUrl }: Pick<StripeSettings, 'scriptUrl'> = stripeOrigins,
): Promise<void> {
  await rm(join(outdir, 'assets'), { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  for (const [language, document] of Object.entries(pageDocuments)) {
    const { metafile } = await build({
      absWorkingDir: sources,
      entryPoints: ['main.tsx', 'style.css'],
      outdir: resolve(outdir),
      entryNames: 'assets/[name]-[hash]',
      define: {
        builtFor: JSON.stringify(language),
        builtForMode: JSON.stringify(mode),
        bankPickerScript: JSON.stringify(scriptUrl),
      },
      bundle: true,
      minify: true,
      format: 'esm',
      // The oldest browsers with `replaceChildren` and with units in `Intl.NumberFormat`.
      target: ['chrome87', 'firefox78', 'safari14.1'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      legalComments: 'none',
      metafile: true,
      logLevel: 'silent',
    });
    let html = await readFile(join(sources, document), 'utf8');
    if (mode === 'live')
      html = html.replace(sandboxLine, '').replace('content="no-referrer"', 'content="strict-origin"');
    for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
      // Absolute, because the page lives at /s/<token>.
      if (entryPoint)
        html = html.replace(`"./${entryPoint}"`, `"/${relative(resolve(outdir), resolve(sources, path))}"`);
    }
    await writeFile(join(outdir, document), html);
  }
}
