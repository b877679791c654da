import { Marked, type Token, type Tokens, type Parser } from 'marked';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import php from 'highlight.js/lib/languages/php';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

interface RenderOptions {
  /** Returns the site's address for a link target. */
  readonly resolve: (target: string) => string;
  /** Returns where a code is explained, if it is. */
  readonly explains: (code: string) => string | undefined;
  /** Replaces a Mermaid block. */
  readonly diagram: string;
}

/**
 * Renders Markdown as GitHub does, but turns samples in several languages into tabs, and gives rows that explain a code
 * an anchor.
 */
export function renderMarkdown(markdown: string, { resolve, explains, diagram }: RenderOptions) {
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

export type RenderedPage = ReturnType<typeof renderMarkdown>;

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

/** A row's code is its anchor. The roles are explicit, because phones show the cells below each other. */
function tableHtml({ header, rows }: Tokens.Table, parser: Parser, reserveId: (id: string) => boolean): string {
  const titles = header.map(({ tokens }) => parser.parseInline(tokens, parser.textRenderer));
  const isOfFields = titles[1] === 'Type and limits';
  const heads = isOfFields ? header.filter((_, index) => index === 0 || index === titles.length - 1) : header;
  const lines = rows.map((cells) => {
    const code = codeOf(cells[0]);
    const id = code !== undefined && reserveId(code) ? ` id="${escape(code)}"` : '';
    const html = isOfFields
      ? fieldCells(cells, titles, parser)
      : cells.map((cell, index) => cellHtml(cell, titles[index], parser));
    return `<tr role="row"${id}>${html.join('')}</tr>`;
  });
  const columns = heads.map(({ tokens }) => `<th role="columnheader" scope="col">${parser.parseInline(tokens)}</th>`);
  return (
    `<table role="table"${isOfFields ? ' class="fields"' : ''}>` +
    `<thead role="rowgroup"><tr role="row">${columns.join('')}</tr></thead>` +
    `<tbody role="rowgroup">${lines.join('')}</tbody></table>\n`
  );
}

function cellHtml({ tokens, text }: Tokens.TableCell, title: string | undefined, parser: Parser): string {
  if (text === '') return '<td role="cell" class="empty"></td>';
  const kind = /^\d{4}-\d\d-\d\d$/.test(text) ? ' class="date"' : '';
  return `<td role="cell"${kind} data-label="${escape(title ?? '')}"><div>${parser.parseInline(tokens)}</div></td>`;
}

/** Shows type and presence above the meaning. A field's value is not linked to a problem with the same code. */
function fieldCells(cells: readonly Tokens.TableCell[], titles: readonly string[], parser: Parser): string[] {
  const [name, type, presence] = cells.map(({ tokens }) => parser.parseInline(tokens));
  const values = (type ?? '').replaceAll(/<a [^>]+>(.*?)<\/a>/g, '$1');
  const meaning = parser.parseInline(cells.at(-1)?.tokens ?? []);
  const word = titles[2] === 'Meaning' ? undefined : presenceWords[presence ?? ''];
  const facts = word === undefined ? values : `${values} <span class="${word}">${word}</span>`;
  return [`<td role="cell">${name}</td>`, `<td role="cell"><p class="facts">${facts}</p>${meaning}</td>`];
}

const presenceWords: Readonly<Record<string, string>> = {
  yes: 'required',
  no: 'optional',
  always: 'always',
  sometimes: 'sometimes',
};

function codeOf(cell: Tokens.TableCell | undefined): string | undefined {
  const [only, ...others] = cell?.tokens ?? [];
  return only?.type === 'codespan' && others.length === 0 && /^[\w.-]+$/.test(only['text']) ? only['text'] : undefined;
}

const languages = { sh: bash, go, java, json, php, python, ts: typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

function highlighted(code: string, language: string): string {
  return language in languages ? hljs.highlight(code, { language }).value : escape(code);
}

const labels: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python', json: 'JSON' };

/** One sample, with its file name if it has one. */
function sampleHtml({ text, lang = '' }: Tokens.Code): string {
  const [language = '', file] = lang.split(' ');
  const caption = file === undefined ? '' : `<figcaption>${escape(file)}</figcaption>`;
  return `<figure class="sample">${caption}<pre><code>${highlighted(language === 'json' ? indented(text) : text, language)}</code></pre></figure>`;
}

/** Expands examples, which are compact in the Markdown source. */
function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

/** The same call in several languages: tabs that need no script. */
function samplesHtml(samples: readonly Tokens.Code[], name: string): string {
  const tabs = samples.map(({ lang = '' }, index) => {
    const [language = ''] = lang.split(' ');
    const id = `${name}-${language}`;
    const checked = index === 0 ? ' checked' : '';
    return (
      `<input type="radio" name="${name}" id="${id}" value="${language}"${checked}>` +
      `<label for="${id}">${labels[language] ?? language}</label>`
    );
  });
  return (
    `<fieldset class="samples"><legend>Language</legend>${tabs.join('')}` +
    `${samples.map((sample) => sampleHtml(sample)).join('')}</fieldset>`
  );
}

/** Whether the samples are alternatives: a reader picks one. */
function areAlternatives(samples: readonly Tokens.Code[]): boolean {
  const languages = samples.map(({ lang = '' }) => lang.split(' ')[0] ?? '');
  const isDistinct = new Set(languages).size === languages.length;
  return samples.length > 1 && isDistinct && languages.every((language) => ['sh', 'ts', 'python'].includes(language));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
