import { expect, test } from 'vitest';
import { runbookUrl } from '../../lib/runbook.ts';

test('the runbook is where the team published it, or else a path in the repository', () => {
  expect(runbookUrl('https://git.example.com/operate.md')).toBe('https://git.example.com/operate.md');
  expect(runbookUrl()).toBe('web/docs/operate.md');
});

test.each(['web/docs/operate.md', 'http://git.example.com/operate.md', 'https://git.example.com/operate.md#alarms'])(
  'the runbook cannot be at %s',
  (docsUrl) => {
    expect(() => runbookUrl(docsUrl)).toThrow('docsUrl must be the https URL of the published runbook');
  },
);
