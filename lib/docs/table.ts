import type { Parser, Tokens } from 'marked';
import { escape } from './escape.ts';

/** A row's code is its anchor. Explicit roles, because phones show the cells below each other. */
export function tableHtml({ header, rows }: Tokens.Table, parser: Parser, reserveId: (id: string) => boolean): string {
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
