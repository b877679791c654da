import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { legalDocument, legalPages, locales, type Locale } from '../../functions/domain/locale.ts';
import { escape } from '../docs/samples.ts';
import type { Operator } from '../settings/operator.ts';

const sources = resolve(import.meta.dirname, '../../web/hosted-page/legal');

const words: Record<Locale, { readonly language: string; readonly operator: string; readonly write: string }> = {
  en: { language: 'English', operator: 'A payment service', write: 'Or write to us:' },
  es: { language: 'Español', operator: 'Un servicio de pagos', write: 'O escríbanos:' },
};

/** Writes the legal pages for practices without their own. They have no script. */
export async function buildLegalPages(outdir: string, operator: Operator): Promise<void> {
  const { code } = await transform(await readFile(join(sources, 'style.css'), 'utf8'), { loader: 'css', minify: true });
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
    for (const locale of locales) {
      const main = filled(await readFile(join(sources, `${page}.${locale}.html`), 'utf8'), locale, operator);
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
