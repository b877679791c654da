import type { Statement } from '../../functions/contract/payments/dashboard-payouts.ts';
import type { PayoutLine } from '../../functions/contract/payments/payouts.ts';
import type { Cell } from './csv.ts';
import { dayOf } from './days.ts';

/** What a line says happened, on its date. */
export const lineWords = {
  payment: 'Paid',
  processing: 'Paid',
  refund: 'Refunded',
  return: 'Returned',
  payout: 'Paid out',
  payout_reversal: 'Payout sent back',
  failure: 'Failed',
  other: 'Other',
} as const satisfies Record<PayoutLine['category'], string>;

const inDollars = (cents: number) => Number((cents / 100).toFixed(2));

/** One row per line, with a header row. Amounts are in dollars, days in the practice's time zone. */
export function lineRows(lines: readonly PayoutLine[], timeZone: string): Cell[][] {
  const head = [
    'Date',
    'What happened',
    'Invoice',
    'Receipt number',
    'Amount',
    'Fee',
    'Net',
    'Payout',
    'Session',
    'ID',
  ];
  return [
    head,
    ...lines.map((line) => [
      { value: dayOf(Date.parse(line.at), timeZone) },
      lineWords[line.category],
      line.invoiceId ?? '',
      line.receiptNumber ?? '',
      ...[line.amountCents, -line.feeCents, line.netCents].map(inDollars),
      line.payoutId ?? '',
      line.sessionId ?? '',
      line.bookingId,
    ]),
  ];
}

/** One row per payout, with a header row. Leaves out a payout's parts until the processor lists them. */
export function payoutRows(payouts: Statement['payouts']): Cell[][] {
  const head = ['Made', 'Status', 'Arrives', 'Gross', 'Refunded', 'Returned', 'Other', 'Fee', 'Amount'];
  const lines = payouts.map((each) => [
    { value: each.day },
    each.status,
    { value: each.arrivesOn },
    ...[each.grossCents, each.refundedCents, each.returnedCents, each.otherCents, -each.feeCents].map((cents) =>
      each.addsUp === undefined ? '' : inDollars(cents),
    ),
    inDollars(each.amountCents),
    each.payoutId,
    each.failedPayoutIds.join(' '),
    each.nextPayoutId ?? '',
  ]);
  return [[...head, 'Payout', 'Failed payouts', 'Next payout'], ...lines];
}
