import { describe, expect, test } from 'vitest';
import type { SessionView } from '../../functions/contract/patient-api/session-view.ts';
import { usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble('the file');
const cancelledLate: SessionView = {
  ...sessions.submitted,
  status: 'cancelled',
  cancelledAt: '2026-11-21T09:00:00.000Z',
  cancellation: { reason: 'requested_by_practice' },
};

const lines = () =>
  on.page
    .locator('.receipt dl > div')
    .evaluateAll((rows) =>
      Object.fromEntries(
        rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll(/\s+/g, ' '))),
      ),
    );

const facts = {
  Amount: '$182.50',
  To: 'Lakeside Family Dental',
  Contact: '(555) 010-0142 · billing@lakeside.example',
  Invoice: 'INV-1043',
  Patient: 'Maria Lopez',
  From: 'Sandbox Bank checking account ending in 6789',
  Authorized: 'Nov 20, 2026, 10:06 AM EST',
  'Receipt number': 'RCP-4F7K2M9Q',
};
const debit = { 'Expected debit': 'Nov 23, 2026', 'On your bank statement': 'LAKESIDE FAMILY' };

describe('the receipt', () => {
  test.each([
    [
      'submitted',
      sessions.submitted,
      'Payment receipt',
      { Status: 'Submitted Nov 20, 2026, usually 4 business days', ...facts, ...debit },
    ],
    ['paid', sessions.paid, 'Payment receipt', { Status: 'Paid Nov 26, 2026', ...facts, ...debit }],
    [
      'returned',
      sessions.returned,
      'Payment receipt',
      { Status: 'Returned by your bank Dec 2, 2026', ...facts, ...debit },
    ],
    ['failed', sessions.failed, 'Payment details', { Status: 'Not completed Nov 24, 2026, no money taken', ...facts }],
    ['cancelled', cancelledLate, 'Payment details', { Status: 'Cancelled Nov 21, 2026, no money taken', ...facts }],
  ])('of a payment that is %s says its state', async (_, session, heading, expected) => {
    await on.visit(session);
    expect(await on.page.locator('.receipt h2').innerText()).toBe(heading);
    expect(await lines()).toEqual(expected);
    expect(await on.text()).toContain('For an FSA or HSA claim, ask Lakeside Family Dental for an itemized statement.');
  });

  test.each([
    ['paid', sessions.paid],
    ['failed', sessions.failed],
  ] as const)(
    'of a payment that is %s names the practice as authorized, even after it was renamed',
    async (_, session) => {
      await on.visit({
        ...session,
        practice: { ...session.practice, name: 'Riverside Smiles', supportPhone: '(555) 010-0199' },
      });
      expect((await lines())['To']).toBe('Lakeside Family Dental');
      expect((await lines())['Contact']).toBe('(555) 010-0142 · billing@lakeside.example');
      expect(await on.text()).not.toContain('Riverside');
      expect(await on.text(), 'whom to call today').toContain('(555) 010-0199');
    },
  );

  test('does not exist before a payment is authorized', async () => {
    for (const session of [sessions.owed, sessions.connected, sessions.expired, sessions.cancelled]) {
      await on.visit(session);
      expect(await on.page.locator('.receipt').count()).toBe(0);
    }
  });

  test("gives the day of the debit in no one's time zone", async () => {
    const { receipt } = sessions.submitted;
    await on.visit({
      ...sessions.submitted,
      ...(receipt && { receipt: { ...receipt, expectedDebitDate: '2027-01-04' } }),
    });
    expect((await lines())['Expected debit']).toBe('Jan 4, 2027');
  });

  test('unfolds the full authorization', async () => {
    await on.visit(sessions.paid);
    expect(await on.text()).not.toContain('I still owe the amount');
    await on.page.locator('summary').click();
    expect(await on.text()).toContain(sessions.paid.receipt?.authorizationText);
  });
});
