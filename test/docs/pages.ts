import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export const docs = [...markdownIn('web/docs'), 'web/docs/example/README.md', ...markdownIn('web/docs/decisions')];

export const decisions = docs.filter((page) => /\/decisions\/\d{4}-/.test(page)).sort();

export function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function sectionOf(text: string, heading: string): string {
  const level = heading.indexOf(' ');
  const lines = text.split('\n');
  const start = lines.indexOf(heading);
  if (start === -1) throw new Error(`there is no "${heading}"`);
  const end = lines.findIndex((line, index) => index > start && new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n');
}

export function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `') || /^\| \d/.test(line))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ ?(?<!\\)\| ?/)
        .map((cell) => cell.replaceAll('`', '')),
    );
}
