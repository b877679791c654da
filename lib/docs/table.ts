import type { Parser, Tokens } from 'marked';
import { escape } from './escape.ts';

/** A row gets its code as its anchor. On a phone, cells stand below each other, so that roles must be said. */
export function tableHtml({ header, rows }: Tokens.Table, parser: Parser, takeId: (id: string) => boolean): string {
  const titles = header.map(({ tokens }) => parser.parseInline(tokens));
  const heads = titles.map((title) => `<th role="columnheader" scope="col">${title}</th>`);
  const lines = rows.map((cells) => {
    const code = codeOf(cells[0]);
    const id = code !== undefined && takeId(code) ? ` id="${escape(code)}"` : '';
    const written = cells.map(({ tokens, text }, index) => {
      if (text === '') return '<td role="cell" class="empty"></td>';
      const label = escape(header[index]?.text ?? '');
      return `<td role="cell" data-label="${label}"><div>${parser.parseInline(tokens)}</div></td>`;
    });
    return `<tr role="row"${id}>${written.join('')}</tr>`;
  });
  return (
    `<table role="table"><thead role="rowgroup"><tr role="row">${heads.join('')}</tr></thead>` +
    `<tbody role="rowgroup">${lines.join('')}</tbody></table>\n`
  );
}

function codeOf(cell: Tokens.TableCell | undefined): string | undefined {
  const [only, ...others] = cell?.tokens ?? [];
  return only?.type === 'codespan' && others.length === 0 && /^[\w.-]+$/.test(only['text']) ? only['text'] : undefined;
}
