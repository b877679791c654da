import { describe, expect, test } from 'vitest';
import type { MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { csvOf, sessionRows } from '../../../web/dashboard/csv.ts';

describe('a CSV file', () => {
  test.each([
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['a=b', 'a=b'],
    ['O"Hara, Ann', '"O""Hara, Ann"'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
  ])('holds %j as %j', (text, cell) => {
    expect(csvOf([[text]])).toBe(`\uFEFF${cell}\r\n`);
  });

  test('keeps negative numbers', () => {
    expect(csvOf([[-182.5, '-182.5']])).toBe("\uFEFF-182.5,'-182.5\r\n");
  });

  test('has a line per row and a cell per column', () => {
    expect(
      csvOf([
        ['a', 'b'],
        ['1', ''],
      ]),
    ).toBe('\uFEFFa,b\r\n1,\r\n');
  });
});

describe('the table of sessions', () => {
  const session: MemberSession = {
    sessionId: 'ses_1',
    invoiceId: 'INV-1043',
    status: 'succeeded',
    amountCents: 18250,
    createdAt: '2026-11-20T03:00:00.000Z',
    expiresAt: '2026-11-27T03:00:00.000Z',
    settledAt: '2026-11-21T18:30:05.000Z',
    refund: { amountCents: 5000, refundedAt: '2026-11-22T18:30:05.000Z' },
    metadata: { location: 'north' },
    patient: { firstName: 'Ada', lastName: 'Okafor' },
  };
  const record = (names: boolean, of = session) => {
    const [head = [], row = []] = sessionRows([of], { timeZone: 'America/New_York', names });
    return Object.fromEntries(head.map((name, index) => [name, row[index]]));
  };

  test('has amounts in dollars and times in the time zone of the practice', () => {
    expect(record(true)).toMatchObject({
      Session: 'ses_1',
      Invoice: 'INV-1043',
      'Amount (USD)': '182.50',
      'Patient last name': 'Okafor',
      'Created (America/New_York)': '2026-11-19 22:00:00',
      Paid: '2026-11-21 13:30:05',
      Returned: '',
      'Refunded (USD)': '50.00',
      Metadata: '{"location":"north"}',
    });
  });

  test('has an empty cell for the name that a person with one name does not have', () => {
    expect(record(true, { ...session, patient: { firstName: 'Suharto', lastName: '-' } })).toMatchObject({
      'Patient first name': 'Suharto',
      'Patient last name': '',
    });
  });

  test('has no column of names for a viewer', () => {
    expect(Object.keys(record(false)).filter((name) => name.startsWith('Patient'))).toEqual([]);
  });
});
