import { describe, expect, it } from 'vitest';
import {
  hasNames,
  invoiceSpellings,
  isNamed,
  nameKeys,
  soughtKey,
  soughtLastWordKey,
  splitAmount,
  typedReceiptNumber,
} from '../../../functions/domain/sessions/patient-search.ts';
import { fullName, namesOf } from '../../../functions/domain/sessions/session.ts';
import * as dashboard from '../../../web/dashboard/session-words.ts';

const ada = { firstName: 'Ada', lastName: 'Okafor' };

describe('the keys by which a patient is found', () => {
  it.each([
    ['Ada', 'Okafor', { firstLast: 'adaokafor', lastFirst: 'okaforada' }],
    ['José', 'Núñez', { firstLast: 'josenunez', lastFirst: 'nunezjose' }],
    ['James', 'O’Neill', { firstLast: 'jamesoneill', lastFirst: 'oneilljames' }],
    [
      'Anne-Marie',
      'De la Cruz',
      { firstLast: 'annemariedelacruz', lastFirst: 'delacruzannemarie', lastWordFirst: 'cruzannemarie' },
    ],
    [
      'María',
      'López García',
      { firstLast: 'marialopezgarcia', lastFirst: 'lopezgarciamaria', lastWordFirst: 'garciamaria' },
    ],
    [
      'Aaliyah',
      'Robinson-Fitzgerald',
      {
        firstLast: 'aaliyahrobinsonfitzgerald',
        lastFirst: 'robinsonfitzgeraldaaliyah',
        lastWordFirst: 'fitzgeraldaaliyah',
      },
    ],
    ['María José', 'López', { firstLast: 'mariajoselopez', lastFirst: 'lopezmariajose' }],
    ['María García', '-', { firstLast: 'mariagarcia', lastWordFirst: 'garciamariagarcia' }],
    ['Ann', 'Lee .', { firstLast: 'annlee', lastFirst: 'leeann' }],
    ['Łukasz', 'Groß', { firstLast: 'lukaszgross', lastFirst: 'grosslukasz' }],
    ['Ｗei', '張', { firstLast: 'wei張', lastFirst: '張wei' }],
    ['Suharto', '-', { firstLast: 'suharto' }],
    ['-', 'Suharto', { firstLast: 'suharto' }],
    ['-', '-', {}],
    ['…', '.', {}],
  ])('of “%s” and “%s” are plain letters in both orders', (firstName, lastName, keys) => {
    expect(nameKeys({ firstName, lastName })).toEqual(keys);
  });

  it('have at most 40 characters, and never half of one', () => {
    const { firstLast = '' } = nameKeys({ firstName: '𠮷'.repeat(100), lastName: 'x' });
    expect(firstLast).toBe('𠮷'.repeat(40));
  });
});

it.each([
  ['ada', true],
  ['OKAFOR, Ada', true],
  ['ada ok', true],
  ['okafor a', true],
  ['Okafór', true],
  ['kafor', false],
  ['ada b', false],
])('“%s” names Ada Okafor: %s', (sought, named) => {
  expect(isNamed(ada, sought)).toBe(named);
  const beginsKey = Object.values(nameKeys(ada)).some((key: string) => key.startsWith(soughtKey(sought)));
  expect(beginsKey).toBe(named);
});

it.each([
  ['garcia', true],
  ['García, María', true],
  ['lopez garcia', true],
  ['maria lopez', true],
  ['María García', true],
  ['mari garcia', true],
  ['ana garcia', false],
  ['garcia lopez', false],
])('“%s” names María López García: %s', (sought, named) => {
  const maria = { firstName: 'María', lastName: 'López García' };
  expect(isNamed(maria, sought)).toBe(named);
  const { lastWordFirst = '', ...keys } = nameKeys(maria);
  const lastWordKey = soughtLastWordKey(sought);
  const found =
    [lastWordFirst, ...Object.values(keys)].some((key: string) => key.startsWith(soughtKey(sought))) ||
    (lastWordKey !== '' && lastWordFirst.startsWith(lastWordKey));
  expect(found).toBe(named);
});

it('all first names may come before the second of two last names', () => {
  const patient = { firstName: 'María José', lastName: 'López García' };
  expect(isNamed(patient, 'María José García')).toBe(true);
  expect(isNamed(patient, 'María Ana García')).toBe(false);
});

it.each([
  ['José', true],
  ['garcia maria', true],
  ['lop jos', true],
  ['José Ana', false],
  ['ópez', false],
  ['-', false],
])('each word of “%s” begins one of the names of María José López García: %s', (sought, has) => {
  expect(hasNames({ firstName: 'María José', lastName: 'López García' }, sought)).toBe(has);
});

it('a name that is longer than its key is found by all of it', () => {
  const long = { firstName: 'A'.repeat(100), lastName: 'B'.repeat(100) };
  const sought = `${long.firstName} ${long.lastName}`;
  expect(nameKeys(long).firstLast).toBe(soughtKey(sought));
  expect(isNamed(long, sought)).toBe(true);
  expect(isNamed({ ...long, lastName: 'C' }, sought)).toBe(false);
});

it.each([
  ['okafor $125', 'okafor', 12_500],
  ['$1,250.50 okafor', 'okafor', 125_050],
  ['okafor 125.00', 'okafor', 12_500],
  ['ada okafor 19.99', 'ada okafor', 1999],
  ['okafor 12.5', 'okafor', 1250],
  ['okafor 125', 'okafor', 12_500],
  ['garcía 1,250', 'garcía', 125_000],
  ['李 40', '李', 4000],
  ['$ 125', '', 12_500],
  ['INV-1043', 'INV-1043', undefined],
  ['1043', '1043', undefined],
  ['10 43', '10 43', undefined],
  ['125 okafor', '125 okafor', undefined],
  ['okafor 85,50', 'okafor 85,50', undefined],
  ['okafor $85,50', 'okafor $85,50', undefined],
  ['12.345', '12.345', undefined],
  ['okafor INV1043', 'okafor INV1043', undefined],
])('“%s” is “%s” with the amount %s', (typed, words, amountCents) => {
  expect(splitAmount(typed)).toEqual({ words, ...(amountCents !== undefined && { amountCents }) });
});

it('an invoice ID is also searched for in upper, lower and title case', () => {
  expect(invoiceSpellings('Inv-7')).toEqual(['Inv-7', 'INV-7', 'inv-7']);
  expect(invoiceSpellings('inv-7 ab')).toEqual(['inv-7 ab', 'INV-7 AB', 'Inv-7 Ab']);
  expect(invoiceSpellings('1043')).toEqual(['1043']);
});

it.each(['INV–1043', 'INV‑1043', 'INV—1043', 'ＩＮＶ－１０４３', 'INV−1043'])(
  '“%s” is also sought as INV-1043',
  (typed) => {
    expect(invoiceSpellings(typed)).toContain(typed);
    expect(invoiceSpellings(typed)).toContain('INV-1043');
  },
);

it.each([
  ['SDZMFS4Q7T', 'SDZMFS4Q7T'],
  ['sdzmf s4q7t', 'SDZMFS4Q7T'],
  ['SDZ-MFS-4Q7T', 'SDZMFS4Q7T'],
  ['O1L2I34567', '0112134567'],
  ['SDZMFS4Q7', undefined],
  ['SDZMFS4Q7TT', undefined],
  ['SDZMFS4Q7U', undefined],
])('“%s” is the receipt number %s', (typed, receiptNumber) => {
  expect(typedReceiptNumber(typed)).toBe(receiptNumber);
});

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

it('two dashes are not a name', () => {
  expect(namesOf({ firstName: '-', lastName: '-' })).toEqual([]);
});
