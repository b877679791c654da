import { expect, it } from 'vitest';
import { fullName, namesOf } from '../../../functions/domain/sessions/session.ts';
import * as dashboard from '../../../web/dashboard/session-words.ts';

it.each([
  ['Ada', 'Okafor', 'Ada Okafor'],
  ['Suharto', '-', 'Suharto'],
  ['-', 'Suharto', 'Suharto'],
  ['Suharto', '–', 'Suharto'],
  ['Suharto', ' — ', 'Suharto'],
  ['Suharto', '−', 'Suharto'],
  ['Anne-Marie', 'Smith-Jones', 'Anne-Marie Smith-Jones'],
  ['J.', '.', 'J. .'],
])('“%s” and “%s” are the name %s, also in the dashboard', (firstName, lastName, name) => {
  const patient = { firstName, lastName };
  expect(fullName(patient)).toBe(name);
  expect(dashboard.fullName(patient)).toBe(name);
});

it('two dashes are no name', () => {
  expect(namesOf({ firstName: '-', lastName: '-' })).toEqual([]);
});
