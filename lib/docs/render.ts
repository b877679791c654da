import { Marked, type Token, type Tokens } from 'marked';
import { escape } from './escape.ts';
import { areAlternatives, sampleHtml, samplesHtml } from './samples.ts';
import { tableHtml } from './table.ts';

interface RenderOptions {
  /** Returns the site's address for a link target. */
  readonly resolve: (target: string) => string;
  /** Returns where a code is explained, if it is. */
  readonly explains: (code: string) => string | undefined;
  /** Replaces a Mermaid block. */
  readonly diagram: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly contents: readonly { readonly id: string; readonly html: string }[];
}

/**
 * Renders Markdown as GitHub does, but turns samples in several languages into tabs, and gives rows that explain a code
 * an anchor.
 */
export function renderMarkdown(markdown: string, { resolve, explains, diagram }: RenderOptions): RenderedPage {
  const ids = new Set<string>();
  const reserveId = (id: string) => !ids.has(id) && Boolean(ids.add(id));
  const contents: { id: string; html: string }[] = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorOf(text);
        const html = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`;
        if (depth === 2) contents.push({ id, html });
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${html} ${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escape(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      codespan({ text }) {
        const code = `<code>${escape(text)}</code>`;
        const explanation = explains(text);
        return explanation === undefined ? code : `<a href="${explanation}">${code}</a>`;
      },
      code(sample) {
        return sample.lang === 'mermaid' ? diagram : sampleHtml(sample);
      },
      table(table) {
        return tableHtml(table, this.parser, reserveId);
      },
      html: () => '',
    },
  });
  const tokens = marked.lexer(markdown);
  for (const token of tokens) if (isHeading(token)) reserveId(anchorOf(token.text));
  const html = grouped(tokens)
    .map((group, index) => {
      const samples = group.filter(isCode);
      return areAlternatives(samples) ? samplesHtml(samples, `sample-${index}`) : marked.parser(group);
    })
    .join('');
  return { html, contents };
}

/** Groups consecutive samples in different languages. */
function grouped(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    const samples = groups.at(-1)?.filter(isCode) ?? [];
    if (token.type === 'space') continue;
    if (isCode(token) && samples.length > 0 && areAlternatives([...samples, token])) groups.at(-1)?.push(token);
    else groups.push([token]);
  }
  return groups;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** Makes anchors the way GitHub and GitLab do. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
