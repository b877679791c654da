import { build } from 'esbuild';
import { expect } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { Locale } from '../../functions/domain/locale.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import type { BankStep, NoticeName } from '../../web/hosted-page/page-state.ts';
import type { renderPage } from './render-page.tsx';

interface Link {
  readonly words: string;
  readonly href: string | undefined;
  readonly rel: string | undefined;
}

interface RenderedPage {
  /** What a screen shows, without what is folded or only printed. */
  readonly html: string;
  readonly text: string;
  readonly heading: string;
  readonly links: readonly Link[];
}

interface Options {
  readonly language?: Locale;
  readonly mode?: Mode;
  readonly bankStep?: BankStep | undefined;
  readonly notice?: NoticeName;
}

const renderers = new Map<string, Promise<typeof renderPage>>();

/** For words and links, which need no layout, focus or network. */
export async function rendered(
  session: SessionView,
  { language = 'en', mode = 'sandbox', bankStep, notice }: Options = {},
): Promise<RenderedPage> {
  const key = `${language} ${mode}`;
  const renderer = renderers.get(key) ?? loadRenderer(language, mode);
  renderers.set(key, renderer);
  const page = (await renderer)({ kind: 'session', session, bankStep, busy: false, notice });
  const html = page
    .replaceAll(/(<summary>.*?<\/summary>).*?<\/details>/gs, '$1')
    .replaceAll(/<(\w+) class="(?:\w+ )?printed".*?<\/\1>/gs, '');
  return { html, text: textOf(html), heading: textOf(partOf(html, /<h1.*?<\/h1>/)), links: linksIn(html) };
}

/** Bundles for its language and mode, as lib/build/pages.ts does. */
async function loadRenderer(language: Locale, mode: Mode): Promise<typeof renderPage> {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['render-page.tsx'],
    write: false,
    bundle: true,
    format: 'esm',
    define: {
      builtFor: JSON.stringify(language),
      builtForMode: JSON.stringify(mode),
      offersCopy: 'true',
      operatorName: '""',
      operatorAddress: '"1 Harbor Road, Salem, MA 01970"',
      location: '{"hash":""}',
    },
    logLevel: 'silent',
  });
  const code = outputFiles.map(({ contents }) => Buffer.from(contents).toString('base64')).join('');
  const bundle: { renderPage: typeof renderPage } = await import(`data:text/javascript;base64,${code}`);
  return bundle.renderPage;
}

export function partOf(html: string, pattern: RegExp): string {
  return pattern.exec(html)?.[0] ?? expect.fail(`There is no ${pattern} in ${html}`);
}

export function linksIn(html: string): Link[] {
  return [...html.matchAll(/<a ([^>]*)>(.*?)<\/a>/g)].map(([, attributes = '', words = '']) => {
    const value = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll('&amp;', '&');
    return { words: textOf(words), href: value('href'), rel: value('rel') };
  });
}

export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(?:a|bdi|span|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** For attributes that have words, only says whether there are any. */
export function elementsIn(html: string): string[] {
  return [...html.matchAll(/<[^>]+>/g)].map(([tag]) =>
    tag.replaceAll(/( (?:alt|aria-label|content|href|hreflang|lang|placeholder|title|value))="[^"]+"/g, '$1'),
  );
}
