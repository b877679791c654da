import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type BuildOptions, transform } from 'esbuild';
import { locales, pageDocuments, legalDocument, legalPages, type Locale } from '../../functions/domain/locale.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { documentPolicy, type BankPickerOrigins } from './content-security-policy.ts';
import type { Operator } from '../settings/settings.ts';
import { stripeOrigins } from '../settings/stripe.ts';
import { escape } from '../docs/render.ts';

const sources = resolve(import.meta.dirname, '../../web/hosted-page');

const sandboxLine = / *<p class="sandbox">.*<\/p>\n/;

interface PageOptions {
  readonly bankPicker?: BankPickerOrigins | undefined;
  readonly operator?: Operator | undefined;
  /** Whether the stack can email a copy of the authorization. */
  readonly mails?: boolean | undefined;
}

/** Writes one document per language, with its style and scripts in it, and the pages that it links to. */
export async function buildHostedPage(
  outdir: string,
  mode: Mode,
  { bankPicker = stripeOrigins, operator = {}, mails = false }: PageOptions = {},
): Promise<void> {
  await mkdir(outdir, { recursive: true });
  await buildLegalPages(outdir, operator);
  for (const language of locales) {
    const define = {
      builtFor: JSON.stringify(language),
      builtForMode: JSON.stringify(mode),
      offersCopy: JSON.stringify(mails),
      operatorName: JSON.stringify(operator.name ?? ''),
      operatorAddress: JSON.stringify(operator.address ?? ''),
      bankPickerScript: JSON.stringify(bankPicker.scriptUrl),
    };
    const [style, start, main] = await Promise.all([
      bundle('style.css', { target: ['chrome64', 'firefox68', 'safari12'] }),
      // Runs everywhere, and shows a message in browsers that cannot run `main.tsx`.
      bundle('start.ts', { define, target: 'es5', supported: { 'const-and-let': true } }),
      bundle('main.tsx', {
        define,
        // iOS 12.2, Chrome 66, Firefox 60. Test: test/web/old-browsers.test.ts.
        target: 'es2018',
        banner: { js: 'window.sentAhead&&function(){' },
        footer: { js: '}()' },
      }),
    ]);
    const policy = documentPolicy(
      { scripts: [hashOf(start), hashOf(main)], styles: [hashOf(style)] },
      mode === 'live' ? bankPicker : undefined,
    );
    const document = pageDocuments[language];
    let html = inLanguage(await readFile(join(sources, 'index.html'), 'utf8'), language).replaceAll(/^ +/gm, '');
    if (mode === 'live')
      html = html.replace(sandboxLine, '').replace('content="no-referrer"', 'content="strict-origin"');
    const parts: readonly (readonly [string, string])[] = [
      ['content="the policy"', `content="${policy}"`],
      ['<link rel="stylesheet" href="./style.css">', `<style>${style}</style>`],
      ['<script src="./start.ts"></script>', `<script>${start}</script>`],
      ['<script src="./main.tsx"></script>', `<script>${main}</script>`],
    ];
    // A function, because a script may contain `$&`.
    for (const [place, part] of parts) html = html.replace(place, () => part);
    await writeFile(join(outdir, document), html);
  }
}

/** Removes the lines in other languages. */
function inLanguage(document: string, language: Locale): string {
  return document
    .replaceAll(new RegExp(`^ *<\\w+ lang="(?!${language}).*\n`, 'gm'), '')
    .replaceAll(/^( *<(?!html)\w+) lang="\w+"/gm, '$1');
}

async function bundle(entryPoint: string, options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({
    absWorkingDir: sources,
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'silent',
    ...options,
  });
  return outputFiles.map(({ text }) => text.trim()).join('');
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

const words: Record<Locale, { readonly language: string; readonly operator: string; readonly write: string }> = {
  en: { language: 'English', operator: 'A payment service', write: 'Or write to us:' },
  es: { language: 'Español', operator: 'Un servicio de pagos', write: 'O escríbanos:' },
};

/** Writes the legal pages for practices without their own. They have no script. */
export async function buildLegalPages(outdir: string, operator: Operator): Promise<void> {
  const { code } = await transform(await readFile(join(sources, 'legal/style.css'), 'utf8'), {
    loader: 'css',
    minify: true,
  });
  const style = code.trim();
  const hash = createHash('sha256').update(style).digest('base64');
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; img-src data:">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="format-detection" content="telephone=no">',
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
  ];
  for (const page of legalPages) {
    const articles = await readFile(join(sources, `legal/${page}.html`), 'utf8');
    for (const locale of locales) {
      const [, article = ''] = new RegExp(`<article lang="${locale}">\n(.*?)</article>`, 's').exec(articles) ?? [];
      const main = filled(article, locale, operator);
      const [, title = ''] = /<h1>(.*?)<\/h1>/.exec(main) ?? [];
      const lines = [
        '<!doctype html>',
        `<html lang="${locale}">`,
        '<head>',
        ...head,
        `<title>${title}</title>`,
        '</head>',
        `<body><header>${linksToOthers(locale)}</header><main>\n${main}</main></body>`,
        '</html>\n',
      ];
      await writeFile(join(outdir, legalDocument(page, locale)), lines.join('\n'));
    }
  }
}

function linksToOthers(locale: Locale): string {
  return locales
    .filter((other) => other !== locale)
    .map((other) => `<a href="?lang=${other}" lang="${other}" hreflang="${other}">${words[other].language}</a>`)
    .join(' ');
}

function filled(main: string, locale: Locale, { name, email }: Operator): string {
  const { operator, write } = words[locale];
  const address = email === undefined ? '' : escape(email);
  const contact = address && ` ${write} <a href="mailto:${address}">${address}</a>.`;
  return main.replaceAll('{{Operator}}', () => escape(name ?? operator)).replaceAll('{{ContactToo}}', () => contact);
}
