import type { Statement } from '../../functions/contract/payments/dashboard-payouts.ts';

import type { Cell } from './csv.ts';

type Day = Statement['days'][number];
type Payout = Statement['payouts'][number];

const inDollars = (cents: number) => Number((cents / 100).toFixed(2));

/** One row per day, with a header row. Amounts are in dollars. */
export function statementRows(days: readonly Day[]): Cell[][] {
  const head = [
    'Day',
    'Gross',
    'Refunded',
    'Returned',
    'Other',
    'Fee',
    'Net',
    'Processing',
    'In transit',
    'Payouts',
    'Failed payouts',
  ];
  const lines = days.map((each) => [
    { value: each.day },
    ...[
      each.grossCents,
      each.refundedCents,
      each.returnedCents,
      each.otherCents,
      -each.feeCents,
      each.netCents,
      each.processingCents,
      each.inTransitCents,
    ].map(inDollars),
    each.payoutIds.join(' '),
    each.failedPayoutIds.join(' '),
  ]);
  return [head, ...lines];
}

/** One row per payout, with a header row. Leaves out a payout's parts until the processor lists them. */
export function payoutRows(payouts: readonly Payout[]): Cell[][] {
  const head = [
    'Made',
    'Payout',
    'Status',
    'Arrives',
    'Gross',
    'Refunded',
    'Returned',
    'Other',
    'Fee',
    'Amount',
    'Failed payouts',
    'Next payout',
  ];
  const lines = payouts.map((each) => [
    { value: each.day },
    each.payoutId,
    each.status,
    { value: each.arrivesOn },
    ...[each.grossCents, each.refundedCents, each.returnedCents, each.otherCents, -each.feeCents].map((cents) =>
      each.addsUp === undefined ? '' : inDollars(cents),
    ),
    inDollars(each.amountCents),
    each.failedPayoutIds.join(' '),
    each.nextPayoutId ?? '',
  ]);
  return [head, ...lines];
}
