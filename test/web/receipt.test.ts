import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import { rendered, textOf } from './rendered-page.ts';
import * as sessions from './sessions.ts';

beforeEach(() => void vi.stubEnv('TZ', 'America/New_York'));

const cancelledLate: SessionView = {
  ...sessions.failed,
  failure: undefined,
  failedAt: undefined,
  status: 'cancelled',
  cancelledAt: '2026-11-21T09:00:00.000Z',
  cancellation: { reason: 'requested_by_practice' },
};

const factsIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)].map(([, name = '', value = '']) => [
      name,
      textOf(value),
    ]),
  );

const facts = {
  Amount: '$182.50',
  Invoice: 'INV-1043',
  Patient: 'Maria Lopez',
  'Name on the bank account': 'Maria Lopez',
  Authorized: 'Nov 20, 2026, 10:06 AM EST',
  'Reference number': 'RCP-4F7K2M9Q',
};
const payee = 'Lakeside Family Dental 120 Harbor Street Springfield, IL 62701';
const account = 'Sandbox Bank checking account ending in 6789';
const payment = { ...facts, 'Pay to': payee, 'Pay from': account };
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
        'Paid to': payee,
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
      'refunded',
      sessions.refunded,
      'Payment details',
      {
        Status: '$182.50 was refunded on Nov 30, 2026.',
        ...facts,
        ...statement,
        'Paid to': payee,
        'Paid from': account,
      },
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
    const { html, text } = await rendered(session);
    expect(html).toContain(
      `<section class="receipt" aria-labelledby="receipt-heading"><h2 id="receipt-heading">${heading}</h2>`,
    );
    expect(factsIn(html)).toEqual(expected);
    expect(text.includes(forClaims)).toBe(name === 'paid');
  });

  test('tells a part that was refunded and a part that is on its way', async () => {
    const refund = { amountCents: 18_250, pendingCents: 8_250, refundedAt: '2026-11-30T14:00:00.000Z' };
    for (const [session, before] of [
      [sessions.paid, ''],
      [sessions.returned, 'Returned by your bank on Dec 2, 2026. '],
    ] as const) {
      const { html } = await rendered({ ...session, refund });
      expect(factsIn(html)['Status']).toBe(
        `${before}$100.00 was refunded on Nov 30, 2026. A refund of $82.50 has been on its way since Nov 30, 2026.`,
      );
    }
  });

  test.each([
    ['paid', sessions.paid],
    ['failed', sessions.failed],
  ] as const)(
    'of a payment that is %s names the practice as authorized, even after it was renamed',
    async (_, session) => {
      const { html, text } = await rendered({
        ...session,
        practice: { ...session.practice, name: 'Riverside Smiles', supportPhone: '(555) 010-0199' },
      });
      expect(Object.values(factsIn(html))).toContain(payee);
      expect(text).not.toContain('Riverside');
      expect(text).not.toContain('(555) 010-0142');
      expect(text, 'whom to call today').toContain('(555) 010-0199');
    },
  );

  test('does not exist before a payment is authorized', async () => {
    for (const session of [sessions.owed, sessions.connected, sessions.expired, sessions.cancelled]) {
      expect((await rendered(session)).html).not.toContain('class="receipt"');
    }
  });

  test("gives the day of the debit in no one's time zone", async () => {
    const { html } = await rendered({ ...sessions.submitted, expectedDebitDate: '2027-01-04' });
    expect(factsIn(html)['Debit date']).toBe('Jan 4, 2027 or later');
  });

  test("names today's contact of the practice once, on the screen", async () => {
    for (const session of [sessions.submitted, sessions.paid, sessions.returned, sessions.failed, cancelledLate]) {
      const { text } = await rendered(session);
      for (const contact of ['(555) 010-0142', 'billing@lakeside.example'])
        expect(text.split(contact).length - 1, session.status).toBeLessThanOrEqual(1);
    }
  });
});
