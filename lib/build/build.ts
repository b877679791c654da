import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { build as bundle } from 'esbuild';
import type { Mode } from '../../functions/domain/mode.ts';
import service from '../../package.json' with { type: 'json' };
import { forLambda } from '../aws-sdk/for-lambda.ts';
import { buildDashboard } from './dashboard.ts';
import { buildDocs } from './docs.ts';
import { buildHostedPage } from './pages.ts';
import type { BankPickerOrigins } from './content-security-policy.ts';
import type { Operator } from '../settings/settings.ts';
import { openApiDocument } from '../openapi/document.ts';
import { methodsByPath } from './routes.ts';
import { docsName, docsPages } from '../docs/pages.ts';

export const root = resolve(import.meta.dirname, '../..');

export interface Build extends AsyncDisposable {
  readonly functions: string;
  readonly hostedPage: string;
  readonly dashboard: string;
  readonly viewerFunctions: ViewerFunctions;
}

interface BuildOptions {
  readonly bankPicker?: BankPickerOrigins | undefined;
  readonly operator?: Operator | undefined;
  /** Whether the page offers to email a copy. */
  readonly mails?: boolean | undefined;
  readonly functions?: string | undefined;
}

/** The same sources produce the same bytes. Dispose of it after synthesis. */
export async function build(
  mode: Mode,
  { bankPicker, operator, mails, functions: built }: BuildOptions = {},
): Promise<Build> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-build-'));
  const functions = built ?? join(directory, 'functions');
  const hostedPage = join(directory, 'hosted-page');
  const dashboard = join(directory, 'dashboard');
  const [viewerFunctions] = await Promise.all([
    buildViewerFunctions(),
    built === undefined && buildFunctions(functions, mode),
    buildHostedPage(hostedPage, mode, { bankPicker, operator, mails }),
    buildDashboard(dashboard, mode, operator),
    // The dashboard's distribution serves them at `/docs/`.
    buildDocs(dashboard),
  ]);
  return {
    functions,
    hostedPage,
    dashboard,
    viewerFunctions,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Entries in a folder `sandbox` or `live` exist in that mode only. */
export function functionFiles(mode: Mode): string[] {
  return globSync(`functions/{*-api,triggers}/{,${mode}/}*.ts`, { cwd: root });
}

/** Takes nearly all of a build's time. */
export async function buildFunctions(outdir: string, mode: Mode): Promise<void> {
  await bundle({
    absWorkingDir: root,
    entryPoints: functionFiles(mode).map((source) => ({
      in: source,
      out: `${relative('functions', source).slice(0, -'.ts'.length)}/index`,
    })),
    outdir: resolve(outdir),
    bundle: true,
    define: {
      // Drops the other mode's processor from `of-stage.ts`.
      builtForMode: JSON.stringify(mode),
      openApiDocument: asText(openApiDocument(service.version, { mode })),
      methodsByPath: asText(methodsByPath(mode)),
    },
    minify: true,
    platform: 'node',
    target: 'node24',
    // Starts faster: an import of `node:http`, unlike `require`, loads all of fetch. The SDK's own import is dynamic.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    plugins: [forLambda],
    // Otherwise, in some runs, a file that a plugin names first lacks the options of tsconfig.json.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true, verbatimModuleSyntax: true } },
    legalComments: 'none',
    logLevel: 'silent',
  });
}

function asText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

export type ViewerFunctions = Awaited<ReturnType<typeof buildViewerFunctions>>;

export async function buildViewerFunctions() {
  const [rewriteLink, nameViewer, serveIndex] = await Promise.all([
    bundleViewerFunction('rewrite-link'),
    bundleViewerFunction('name-viewer'),
    bundleViewerFunction('serve-index'),
  ]);
  return { rewriteLink, nameViewer, serveIndex };
}

async function bundleViewerFunction(name: string): Promise<string> {
  const { outputFiles } = await bundle({
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
