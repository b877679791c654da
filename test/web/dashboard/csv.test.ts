import { describe, expect, test } from 'vitest';
import type { MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { csvOf, sessionRows } from '../../../web/dashboard/csv.ts';

describe('a CSV file', () => {
  test.each([
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', `"'\tx"`],
    [' =1+1', "' =1+1"],
    ['\u00a0=1+1', "'\u00a0=1+1"],
    ['\u200b=1+1', "'\u200b=1+1"],
    ['\0=1+1', "'\0=1+1"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['\u22121', "'\u22121"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['﹦1+1', "'﹦1+1"],
    ['"=1+1"', `"'""=1+1"""`],
    [';=cmd', `"';'=cmd"`],
    ['INV;=cmd', `"INV;'=cmd"`],
    ['INV; ＝cmd', `"INV;' ＝cmd"`],
    ['INV\t@cmd', `"INV\t'@cmd"`],
    ['INV\n+cmd', `"INV\n'+cmd"`],
    ['A; B', '"A; B"'],
    ["'Aho", "''Aho"],
    ["O'Hara", "O'Hara"],
    ['\rx', `"'\rx"`],
    ['a=b', 'a=b'],
    ['O"Hara, Ann', '"O""Hara, Ann"'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
  ])('holds %j as %j', (text, cell) => {
    expect(csvOf([[text]])).toBe(`\uFEFF${cell}\r\n`);
  });

  test.each([
    ['leading zeros', ['000123', '0012.5', '００７', '007 ']],
    ['long numbers', ['123456789012', '1234567890123456', '9'.repeat(40)]],
    ['exponents', ['1E5', '12e3', '1.5E-7', '2e+10']],
    ['decimals and thousands', ['1.10', '1.0', '7.', '.5', '1,000', "1'000", '1 000', '1.234', '3,14']],
    ['amounts', ['$5', '5%', '$ 1,000.00', '5 €', '(5)', '($5)']],
    ['dates', ['3-4', '1/2', '3.4', '2026-11', '2026-11-20', '11/20/2026', '1-2-26', '2026-11-20T12:30:00Z', '3 - 4']],
    [
      'dates with months',
      ['MARCH1', 'Sept-2', 'DEC 12', '1-Mar', '20 Nov 2026', 'may.5', 'ene-5', '5 agosto', 'Jun 5'],
    ],
    ['times', ['12:30', '1:2:3', '5 PM', '12a', '12:30 pm', '11/20/2026 3:00 PM']],
    ['words', ['TRUE', 'false', 'Falso', '#N/A', '#REF!', '#name?']],
  ])('keeps %s from being changed', (_what, texts) => {
    expect(texts.map((text) => csvOf([[text]]).replaceAll('"', ''))).toEqual(texts.map((text) => `\uFEFF'${text}\r\n`));
  });

  test.each([
    'INV-1043',
    '10432',
    '0',
    '12345678901',
    '10432-1',
    'A001',
    '1043A',
    '#12',
    '12 Main St',
    'E5',
    'e1e5',
    '1e5x',
    'May',
    'April',
    'June',
    'August',
    'Mar',
    'Marchand 5',
    'Deckard',
    'Ann 3rd',
    'X-3-4',
    'po_1',
    'R01',
    '$',
    '%',
    '5 minutes',
    '12 am Main',
    'a1-b2',
    'ses_01M7WT8GBK9JN8GY3CPDSZDMFS',
    `${'1'.repeat(5_000)}x`,
  ])('does not mark %j', (text) => {
    expect(csvOf([[text]])).toBe(`\uFEFF${text}\r\n`);
  });

  test('lets a spreadsheet recognize amounts and times', () => {
    expect(csvOf([[{ value: '2026-11-20 22:00:00' }, { value: '182.50' }]])).toBe(
      '\uFEFF2026-11-20 22:00:00,182.50\r\n',
    );
  });

  test('keeps negative numbers', () => {
    expect(csvOf([[{ value: '-182.50' }, '-182.5']])).toBe("\uFEFF-182.50,'-182.5\r\n");
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
  const payoutIds = new Map([['ses_1', 'po_1']]);
  const record = (names: boolean, of = session) => {
    const [head = [], row = []] = sessionRows([of], { timeZone: 'America/New_York', names, payoutIds });
    return Object.fromEntries(head.map((name, index) => [name, row[index]]));
  };

  test('has amounts in dollars and times in the time zone of the practice', () => {
    expect(record(true)).toMatchObject({
      Session: 'ses_1',
      Invoice: 'INV-1043',
      'Amount (USD)': { value: '182.50' },
      'Patient last name': 'Okafor',
      'Created (America/New_York)': { value: '2026-11-19 22:00:00' },
      Paid: { value: '2026-11-21 13:30:05' },
      Returned: '',
      Status: 'succeeded',
      Outcome: 'Partly refunded',
      'Refunded (USD)': { value: '50.00' },
      'Refund pending (USD)': '',
      'Refund changed': { value: '2026-11-22 13:30:05' },
      Metadata: '{"location":"north"}',
    });
  });

  const refundedAt = '2026-11-22T18:30:05.000Z';
  const returned = { code: 'insufficient_funds', returnedAt: refundedAt } as const;
  test.each([
    ['Refunded', '182.50', '', '', { refund: { amountCents: 18_250, refundedAt } }],
    ['Refund pending', '100.00', '82.50', '', { refund: { amountCents: 18_250, pendingCents: 8_250, refundedAt } }],
    [
      'Refund failed',
      '0.00',
      '',
      '50.00',
      { refund: { amountCents: 0, failedCents: 5_000, status: 'failed', refundedAt } },
    ],
    // A new one has arrived in the meantime.
    [
      'Refunded',
      '182.50',
      '',
      '50.00',
      { refund: { amountCents: 18_250, failedCents: 5_000, status: 'succeeded', refundedAt } },
    ],
    ['Returned', '', '', '', { refund: undefined, return: returned }],
    ['Returned', '182.50', '', '', { refund: { amountCents: 18_250, refundedAt }, return: returned }],
    ['Expired', '', '', '', { refund: undefined, status: 'cancelled', cancellation: { reason: 'expired' } }],
  ] as const)('says in words that a session was: %s', (words, given, pending, failed, facts) => {
    const dollars = (value: string) => (value === '' ? '' : { value });
    expect(record(true, { ...session, ...facts })).toMatchObject({
      Status: 'status' in facts ? facts.status : 'succeeded',
      Outcome: words,
      'Refunded (USD)': dollars(given),
      'Refund pending (USD)': dollars(pending),
      'Refund failed (USD)': dollars(failed),
    });
  });

  test("begins with the words of people and ends with our ID, and has the receipt's number once there is a receipt", () => {
    const sessionId = 'ses_01M7WT8GBK9JN8GY3CPDSZDMFS';
    const authorized = { ...session, sessionId, processingAt: '2026-11-20T04:00:00.000Z' };
    const [head = []] = sessionRows([session], { timeZone: 'America/New_York', names: true, payoutIds });
    expect([head[0], head.at(-1)]).toEqual(['Invoice', 'Session']);
    expect(head.indexOf('Outcome')).toBeLessThan(head.indexOf('Status'));
    expect(record(true, authorized)['Receipt number']).toBe('3CPDSZDMFS');
    expect(record(true)['Receipt number']).toBe('');
  });

  test('says why a payment failed or was returned, in words beside the code', () => {
    const failure = { code: 'account_closed', message: 'The account is closed.', achReturnCode: 'R02' } as const;
    expect(record(true, { ...session, status: 'failed', failure })).toMatchObject({
      'Failure reason': 'The account is closed',
      Failure: 'account_closed',
    });
    expect(record(true, { ...session, return: { ...returned, achReturnCode: 'R01' } })).toMatchObject({
      'Return reason': 'Not enough money in the account',
      Return: 'R01',
    });
  });

  test('has the payout that includes the payment, once one does', () => {
    expect(record(true)['Payout']).toBe('po_1');
    expect(record(true, { ...session, sessionId: 'ses_2' })['Payout']).toBe('');
  });

  test('tells apart the two hours of the night when the clocks go back', () => {
    const twice = ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'];
    const records = twice.map((createdAt) => record(true, { ...session, createdAt }));
    for (const each of records) expect(each['Created (America/New_York)']).toEqual({ value: '2026-11-01 01:30:00' });
    expect(records.map((each) => each['Created (UTC)'])).toEqual(twice.map((value) => ({ value })));
  });

  test('has each time in UTC', () => {
    const at = (hour: number) => `2026-11-20T0${hour}:00:00.000Z`;
    const timed: MemberSession = {
      ...session,
      createdAt: at(0),
      openedAt: at(1),
      processingAt: at(2),
      settledAt: at(3),
      failedAt: at(4),
      cancelledAt: at(5),
      return: { code: 'insufficient_funds', returnedAt: at(6) },
    };
    const times = ['Created', 'Opened', 'Authorized', 'Paid', 'Failed', 'Cancelled', 'Returned'];
    expect(times.map((name) => record(true, timed)[`${name} (UTC)`])).toEqual(
      times.map((_, index) => ({ value: at(index) })),
    );
    expect(record(true)['Opened (UTC)']).toBe('');
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
