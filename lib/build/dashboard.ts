import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import type { Mode } from '../../functions/domain/mode.ts';
import type { Operator } from '../settings/settings.ts';
import { dashboardPaths } from './routes.ts';

const sources = resolve(import.meta.dirname, '../../web/dashboard');
const hostedPageStylesheet = resolve(import.meta.dirname, '../../web/hosted-page/style.css');

interface Built {
  readonly mode: Mode;
  readonly operator: Operator;
  /** The style of the preview in the practice's settings. */
  readonly hostedPageStyle: string;
}

export function dashboardOptions({ mode, operator, hostedPageStyle }: Built) {
  return {
    absWorkingDir: sources,
    define: {
      builtForMode: JSON.stringify(mode),
      dashboardPaths: JSON.stringify(dashboardPaths()),
      // For the hosted page's components in the preview.
      builtFor: JSON.stringify('en'),
      offersCopy: 'false',
      operatorName: JSON.stringify(operator.name ?? ''),
      operatorEmail: JSON.stringify(operator.email ?? ''),
      operatorAddress: JSON.stringify(operator.address ?? ''),
      hostedPageStyle: JSON.stringify(hostedPageStyle),
    },
    bundle: true,
    minify: true,
    target: ['chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  } satisfies BuildOptions;
}

/** Screens that `main.tsx` imports with `import()` become files of their own. */
export async function buildDashboard(outdir: string, mode: Mode, operator: Operator = {}): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [hostedPageStylesheet],
    bundle: true,
    minify: true,
    write: false,
  });
  const { metafile } = await build({
    ...dashboardOptions({ mode, operator, hostedPageStyle: outputFiles.map(({ text }) => text).join('') }),
    entryPoints: ['main.tsx', 'style.css'],
    outdir: resolve(outdir),
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    splitting: true,
    format: 'esm',
    metafile: true,
  });
  let html = await readFile(join(sources, 'index.html'), 'utf8');
  // Absolute, because pages live at any depth.
  const urlOf = (path: string) => `/${relative(resolve(outdir), resolve(sources, path))}`;
  for (const [path, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    if (!entryPoint) continue;
    html = html.replace(`"./${entryPoint}"`, `"${urlOf(path)}"`);
    if (entryPoint !== 'main.tsx') continue;
    // Otherwise, the browser discovers them only after it has parsed `main.tsx`.
    const preloads = imports
      .filter(({ kind }) => kind === 'import-statement')
      .map((each) => `    <link rel="modulepreload" href="${urlOf(each.path)}">\n`);
    html = html.replace('  </head>', `${preloads.join('')}  </head>`);
  }
  await writeFile(join(outdir, 'index.html'), html);
}
