import type { styleText } from 'node:util';
import type { AttemptOutcome } from '../../functions/domain/webhooks/delivery.ts';

/** Where the text is shown. */
export interface Page {
  /** In characters; infinite if the output is not a terminal. */
  readonly width: number;
  readonly style: (format: Parameters<typeof styleText>[0], text: string) => string;
}

type Value = string | number | boolean | undefined;

/** Escapes characters that control a terminal or a line: the output includes receivers' responses. */
export function printable(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const escapes: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/** Lays rows out in columns, or as a block of lines per row if the columns are wider than the page. */
export function table(page: Page, headings: readonly string[], rows: readonly (readonly Value[])[]): string {
  if (rows.length === 0) return 'None.';
  const cells = rows.map((row) => row.map(cell));
  const used = headings.flatMap((_, column) => (cells.some((row) => row[column] !== '') ? [column] : []));
  const widths = used.map((column) =>
    Math.max(headings[column]?.length ?? 0, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  if (widths.reduce((sum, width) => sum + width + gap.length, -gap.length) > page.width)
    return rows
      .map((row) =>
        fields(
          page,
          used.map((column) => [headings[column] ?? '', row[column]]),
        ),
      )
      .join('\n\n');
  const line = (row: readonly string[]) =>
    used
      .map((column, index) => (row[column] ?? '').padEnd(widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  return [page.style('bold', line(headings)), ...cells.map(line)].join('\n');
}

const gap = '  ';

/** One line per value; leaves out empty ones. */
export function fields(page: Page, pairs: readonly (readonly [label: string, value: Value])[]): string {
  const shown = pairs.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `${page.style('bold', label.padEnd(width))}${gap}${cell(value)}`).join('\n');
}

/** One line per value in an object. A nested object adds a word to its values' labels. */
export function describe(page: Page, value: object): string {
  return fields(page, pairsOf(value, ''));
}

function pairsOf(value: object, prefix: string): (readonly [string, Value])[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const label = labelOf(prefix === '' ? name : `${prefix} ${name}`);
    if (Array.isArray(inner)) return [[label, inner.map((item) => itemText(item)).join(', ')] as const];
    if (typeof inner === 'object' && inner !== null) return pairsOf(inner, label);
    return [[label, isValue(inner) ? inner : undefined] as const];
  });
}

function itemText(item: unknown): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}

function isValue(value: unknown): value is Value {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

const acronyms: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', api: 'API', ach: 'ACH', mfa: 'MFA' };

/** `linkLifetimeDays` is `Link lifetime days`. */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/[A-Z][a-z]/g, (start) => ` ${start.toLowerCase()}`)
    .split(/\s+/)
    .filter(Boolean);
  const label = words.map((word) => acronyms[word] ?? word).join(' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function cell(value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printable(String(value ?? ''));
}

interface Answer extends AttemptOutcome {
  readonly durationMilliseconds: number;
}

/** `204 in 12 ms`, where a redirect leads, or why there is no answer. */
export function answerText({ durationMilliseconds, ...outcome }: Answer): string {
  return `${outcomeText(outcome)} in ${durationMilliseconds} ms`;
}

export function outcomeText({ statusCode, error, redirectsTo }: AttemptOutcome): string {
  const fault = error?.replaceAll('_', ' ');
  if (statusCode === undefined) return fault ?? 'no answer';
  if (redirectsTo !== undefined) return `${statusCode} to ${printable(redirectsTo)}`;
  return fault === undefined ? String(statusCode) : `${statusCode} (${fault})`;
}
