import * as z from 'zod/mini';
import { mostCents } from '../../domain/payments/debit.ts';
import type { Problems } from '../problems.ts';
import { words } from '../text.ts';

export const refundBody = z.strictObject({
  /** Made by the page: a repeated request refunds once. */
  refundId: z.uuid(),
  amountCents: z.int().check(z.minimum(1, 'Use at least 1.'), z.maximum(mostCents, `Use at most ${mostCents}.`)),
  /** Only the audit log keeps it. */
  reason: words(200),
});
export type RefundBody = z.infer<typeof refundBody>;

export const orderedRefund = z.object({ sessionId: z.string(), refundId: z.string(), amountCents: z.int() });
export type OrderedRefund = z.infer<typeof orderedRefund>;

export const refundProblems = {
  session_not_refundable: { status: 409, title: 'The payment cannot be refunded.' },
  refund_refused: { status: 409, title: 'The payment processor refused the refund.' },
  refund_pending: { status: 409, title: 'The refund is still pending.' },
  refund_too_large: { status: 422, title: 'The refund is larger than what is left.' },
  refund_id_reused: { status: 422, title: 'The ID was used for another refund.' },
} as const satisfies Problems;
