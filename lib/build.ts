import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build as bundle } from 'esbuild';
import type { Mode } from '../functions/domain/mode.ts';
import { buildHostedPage } from './build-pages.ts';
import { buildViewerFunctions, type ViewerFunctions } from './build-viewer-functions.ts';

const root = resolve(import.meta.dirname, '..');

/** What the stack deploys: a directory per function, named like its file, the hosted page and its CloudFront functions. */
interface Build extends AsyncDisposable {
  readonly functions: string;
  readonly hostedPage: string;
  readonly viewerFunctions: ViewerFunctions;
}

/**
 * Builds what a stage of this mode deploys, into a new temporary directory. The same sources produce the same bytes.
 * Dispose of the build after synthesis: the cloud assembly has its own copies.
 */
export async function build(mode: Mode): Promise<Build> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-build-'));
  const functions = join(directory, 'functions');
  const hostedPage = join(directory, 'hosted-page');
  const [viewerFunctions] = await Promise.all([
    buildViewerFunctions(),
    buildFunctions(functions, mode),
    buildHostedPage(hostedPage, mode),
  ]);
  return {
    functions,
    hostedPage,
    viewerFunctions,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Bundles every entry point to `<outdir>/<file name>/index.js`, for Lambda and the local stack alike. */
async function buildFunctions(outdir: string, mode: Mode): Promise<void> {
  const sources = globSync('functions/{practice-api,patient-api,triggers}/*.ts', { cwd: root });
  await bundle({
    absWorkingDir: root,
    entryPoints: sources.map((source) => ({ in: source, out: `${basename(source, '.ts')}/index` })),
    outdir: resolve(outdir),
    bundle: true,
    // With this constant, `of-stage.ts` keeps the stage's own processor and drops the other.
    define: { builtForMode: JSON.stringify(mode) },
    minify: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts faster: unlike `require`, `import 'node:http'` loads all of Node's fetch.
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': resolve(import.meta.dirname, 'environment-credentials.ts') },
    legalComments: 'none',
    logLevel: 'silent',
  });
}
