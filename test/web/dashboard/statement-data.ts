import type { OpenedPayout, Statement } from '../../../functions/contract/payments/dashboard-payouts.ts';

type Payout = Statement['payouts'][number];

const amountsOf = (grossCents: number, returnedCents = 0) => {
  const feeCents = Math.round(grossCents * 0.008) + (returnedCents < 0 ? 400 : 0);
  return {
    grossCents,
    refundedCents: 0,
    returnedCents,
    otherCents: 0,
    feeCents,
    netCents: grossCents + returnedCents - feeCents,
  };
};

/** A month with a payout that arrived, one that failed and came again, and one that failed last. */
export function aStatement(month = '2026-11'): Statement {
  const [first, second, third] = [amountsOf(182_50), amountsOf(42_000), amountsOf(96_400, -18_250)];
  const payout = (payoutId: string, day: number, differences: Partial<Payout>): Payout => ({
    payoutId,
    day: `${month}-${String(day).padStart(2, '0')}`,
    arrivesOn: `${month}-${String(day + 2).padStart(2, '0')}`,
    status: 'paid',
    ...first,
    amountCents: differences.netCents ?? first.netCents,
    addsUp: true,
    failedPayoutIds: [],
    ...differences,
  });
  const again = { ...amountsOf(0), otherCents: second.netCents, netCents: second.netCents };
  return {
    timeZone: 'America/New_York',
    month,
    days: [
      {
        day: `${month}-03`,
        ...first,
        processingCents: 0,
        inTransitCents: 0,
        payoutIds: ['po_1TestPayout'],
        failedPayoutIds: [],
      },
      {
        day: `${month}-05`,
        ...second,
        processingCents: 0,
        inTransitCents: 0,
        payoutIds: ['po_4TestPayout'],
        failedPayoutIds: ['po_2Failed'],
      },
      {
        day: `${month}-10`,
        ...third,
        processingCents: 0,
        inTransitCents: third.netCents,
        payoutIds: [],
        failedPayoutIds: ['po_3Failed'],
      },
      {
        day: `${month}-19`,
        ...second,
        processingCents: 69_500,
        inTransitCents: second.netCents,
        payoutIds: [],
        failedPayoutIds: [],
      },
    ],
    payouts: [
      payout('po_1TestPayout', 7, {}),
      payout('po_2Failed', 9, {
        ...second,
        status: 'failed',
        failureCode: 'no_account',
        nextPayoutId: 'po_4TestPayout',
      }),
      payout('po_4TestPayout', 13, { ...again, failedPayoutIds: ['po_2Failed'] }),
      payout('po_3Failed', 16, { ...third, status: 'failed', failureCode: 'account_closed' }),
    ],
    returnRates: {
      debits: 240,
      rates: [
        { kind: 'unauthorized', returns: 1, rate: 1 / 240, ceiling: 0.005 },
        { kind: 'administrative', returns: 0, rate: 0, ceiling: 0.03 },
        { kind: 'overall', returns: 4, rate: 4 / 240, ceiling: 0.15 },
      ],
    },
  };
}

/** The first payout of the statement, with a payment and a return. */
export function anOpenedPayout(sessionId: string): OpenedPayout {
  const { payouts } = aStatement();
  const line = { at: '2026-11-03T15:00:00.000Z', sessionId, invoiceId: 'INV-1042', receiptNumber: 'SDZMFS4Q7T' };
  return {
    payout: { ...payouts[0]!, ...amountsOf(182_50) },
    lines: [
      { ...line, category: 'payment', amountCents: 18_250, feeCents: 146, netCents: 18_104, bookingId: 'txn_1' },
      { at: line.at, category: 'other', amountCents: 0, feeCents: 0, netCents: 0, bookingId: 'txn_2' },
    ],
  };
}
