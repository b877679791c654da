import type { Statement } from '../../../../functions/contract/payments/dashboard-payouts.ts';
import { formatDollars } from '../../format.ts';
import type { Column } from '../../parts/table.tsx';

/** Empty for zero, so that other amounts stand out. */
export const formatUnlessZero = (cents: number) => (cents === 0 ? '' : formatDollars(cents));

/** The amounts of a day or a payout. */
export const amountColumns: readonly Column<Statement['days'][number] | Statement['payouts'][number]>[] = [
  { label: 'Gross', align: 'right', cell: ({ grossCents }) => formatUnlessZero(grossCents) },
  { label: 'Refunded', align: 'right', cell: ({ refundedCents }) => formatUnlessZero(refundedCents) },
  { label: 'Returned', align: 'right', cell: ({ returnedCents }) => formatUnlessZero(returnedCents) },
  { label: 'Other', align: 'right', cell: ({ otherCents }) => formatUnlessZero(otherCents) },
  { label: 'Fee', align: 'right', cell: ({ feeCents }) => formatUnlessZero(-feeCents) },
];
