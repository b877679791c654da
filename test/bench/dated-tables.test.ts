import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dated, replaceTables, table } from './report.ts';

const start = (time: string) => table(['local run', 'measured'], [['`npm start` to ready', time]]);
const expiry = (took: string) => table([`mass expiration: cancelled after ${took}`, 'slowest'], [['a webhook', '1 s']]);
const price = table(['idle production stack', 'a month'], [['total', '$20']]);
const [monday, friday] = [new Date('2026-11-23T23:59:59Z'), new Date('2026-11-27T00:00:00Z')];

test('a table that is measured again gets a new date, and no other table does', () => {
  const report = [dated(start('5 s'), monday), dated(expiry('500 s'), monday)].join('\n\n');
  const [startAgain, expiryAgain, added] = [start('4 s'), expiry('600 s'), price].map((each) => dated(each, friday));
  expect(replaceTables(report, [expiryAgain!])).toBe([dated(start('5 s'), monday), expiryAgain].join('\n\n'));
  expect(replaceTables(`\n${report}\n`, [startAgain!, added!])).toBe(
    [startAgain, dated(expiry('500 s'), monday), added].join('\n\n'),
  );
});

test('every table of the page says above it when and where it was measured', async () => {
  const page = await readFile(join(import.meta.dirname, '../../web/docs/measured.md'), 'utf8');
  const [, report = ''] = /<!-- bench:begin -->\n(.*)\n<!-- bench:end -->/s.exec(page) ?? [];
  const paragraphs = report.split('\n\n');
  expect(paragraphs.length).toBeGreaterThan(30);
  paragraphs.forEach((paragraph, index) =>
    expect(paragraph).toMatch(index % 2 === 0 ? /^Measured on \d{4}-\d\d-\d\d: \d+ cores, Node [\d.]+\.$/ : /^\| /),
  );
});
