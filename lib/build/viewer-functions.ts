import { resolve } from 'node:path';
import { build } from 'esbuild';
import { docsName, docsPages } from '../docs/pages.ts';

const root = resolve(import.meta.dirname, '../..');

export interface ViewerFunctions {
  readonly rewriteLink: string;
  readonly nameViewer: string;
  readonly serveIndex: string;
}

export async function buildViewerFunctions(): Promise<ViewerFunctions> {
  const [rewriteLink, nameViewer, serveIndex] = await Promise.all([
    bundle('rewrite-link'),
    bundle('name-viewer'),
    bundle('serve-index'),
  ]);
  return { rewriteLink, nameViewer, serveIndex };
}

async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`functions/viewer/${name}.ts`],
    bundle: true,
    write: false,
    define: { docsNames: JSON.stringify(docsPages.map(docsName)) },
    format: 'esm',
    platform: 'neutral',
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
    target: 'es5',
    supported: { arrow: true, 'const-and-let': true, 'template-literal': true },
    legalComments: 'none',
    logLevel: 'silent',
  });
  const text = outputFiles.map((file) => file.text).join('');
  // CloudFront runs a script, not a module, and calls its global `handler`.
  const script = text.replace(/^export \{\n {2}handler\n\};\n/m, '');
  if (/^export\b/m.test(script)) throw new Error(`The viewer function ${name} exports more than its handler.`);
  return script;
}
