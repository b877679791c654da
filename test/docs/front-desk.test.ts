import { expect, test } from 'vitest';
import { docsSections } from '../../lib/docs/pages.ts';
import { outcomeWords, reasonWords } from '../../web/dashboard/session-words.ts';
import { pageText } from './pages.ts';

const [first] = docsSections;
const texts = first?.pages.map(({ source }) => pageText(`web/${source}`)) ?? [];
const guide = texts.join('\n');

test('the docs begin with the pages for the front desk, which speak of nothing that only developers know', () => {
  expect(first?.title).toBe('For the front desk');
  expect(texts).toHaveLength(4);
  expect(guide.match(/npm|curl|\bAPI\b|JSON|endpoint|metadata|\b(evt|ses)_|\bsessions?\b(?! ID)/g)).toEqual(null);
});

test('the guide explains every status and every reason in the words of the dashboard', () => {
  const explained = [...guide.matchAll(/^\| (?:\*\*)?([^|*]+?)(?:\*\*)? \|/gm)].map(([, words]) => words);
  const statuses = Object.values(outcomeWords).filter((words) => words !== outcomeWords.opened);
  expect(explained).toEqual(expect.arrayContaining(statuses));
  expect(guide).toContain(`**${outcomeWords.opened}**`);
  const reasons = Object.values(reasonWords).map((words) => words.split(':')[0]);
  expect(explained).toEqual(expect.arrayContaining(reasons));
});
