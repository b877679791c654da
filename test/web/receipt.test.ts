import { describe, expect, test } from 'vitest';
import type { SessionView } from '../../functions/contract/patient-api/session-view.ts';
import { usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble('the file');
const cancelledLate: SessionView = {
  ...sessions.failed,
  failure: undefined,
  failedAt: undefined,
  status: 'cancelled',
  cancelledAt: '2026-11-21T09:00:00.000Z',
  cancellation: { reason: 'requested_by_practice' },
};

const lines = () =>
  on.page
    .locator('.receipt dl > div')
    .evaluateAll((rows) =>
      Object.fromEntries(
        rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' '))),
      ),
    );

const facts = {
  Amount: '$182.50',
  Invoice: 'INV-1043',
  Patient: 'Maria Lopez',
  Authorized: 'Nov 20, 2026, 10:06 AM EST',
  'Reference number': 'RCP-4F7K2M9Q',
};
const account = 'Sandbox Bank checking account ending in 6789';
const payment = { ...facts, 'Pay to': 'Lakeside Family Dental', 'Pay from': account };
const statement = { 'On your bank statement': 'LAKESIDE FAMILY' };
const forClaims = 'For an FSA or HSA claim, ask Lakeside Family Dental for an itemized statement.';

describe('the receipt', () => {
  test.each([
    [
      'submitted',
      sessions.submitted,
      'Payment confirmation',
      {
        Status: 'Processing. Submitted on Nov 20, 2026; usually takes 4 business days',
        ...payment,
        ...statement,
        'Debit date': 'Nov 23, 2026 or later',
      },
    ],
    [
      'paid',
      sessions.paid,
      'Payment receipt',
      {
        Status: 'Paid on Nov 26, 2026',
        ...facts,
        ...statement,
        'Paid to': 'Lakeside Family Dental',
        'Paid from': account,
      },
    ],
    [
      'returned',
      sessions.returned,
      'Payment details',
      { Status: 'Returned by your bank on Dec 2, 2026', ...payment, ...statement },
    ],
    [
      'failed',
      sessions.failed,
      'Payment details',
      { Status: 'Failed on Nov 24, 2026. No money was taken.', ...payment },
    ],
    [
      'cancelled',
      cancelledLate,
      'Payment details',
      { Status: 'Cancelled on Nov 21, 2026. No money was taken.', ...payment },
    ],
  ])('of a payment that is %s has the heading and the facts of its state', async (name, session, heading, expected) => {
    await on.visit(session);
    expect(await on.page.locator('.receipt h2').innerText()).toBe(heading);
    expect(await lines()).toEqual(expected);
    expect((await on.text()).includes(forClaims)).toBe(name === 'paid');
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
      expect(Object.values(await lines())).toContain('Lakeside Family Dental');
      expect(await on.text()).not.toContain('Riverside');
      expect(await on.text()).not.toContain('(555) 010-0142');
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
    await on.visit({ ...sessions.submitted, expectedDebitDate: '2027-01-04' });
    expect((await lines())['Debit date']).toBe('Jan 4, 2027 or later');
  });

  test("names today's contact of the practice once, on the screen", async () => {
    for (const session of [sessions.submitted, sessions.paid, sessions.returned, sessions.failed, cancelledLate]) {
      await on.visit(session);
      for (const contact of ['(555) 010-0142', 'billing@lakeside.example'])
        expect((await on.text()).split(contact).length - 1, session.status).toBeLessThanOrEqual(1);
    }
  });

  test('unfolds the full authorization', async () => {
    await on.visit(sessions.paid);
    expect(await on.text()).not.toContain('I still owe the amount');
    await on.page.locator('summary').click();
    const text = sessions.paid.receipt?.authorizationText;
    expect(await on.page.locator('.receipt details p').allInnerTexts()).toEqual(text?.split('\n'));
    expect(await on.page.locator('.receipt .authorization').textContent()).toBe(text);
  });
});
