import { unreachable } from '../domain/fault.ts';
import type { Session } from '../domain/sessions/session.ts';
import { logInfo } from '../log.ts';
import type { DebitRefunder, Refunding } from '../processors/processor.ts';
import type { ReadingTools } from '../store/database.ts';
import { acceptRefundOrder, openOrderOf, removeRefundOrder } from '../store/sessions/refunds.ts';

export interface RefundTools extends ReadingTools {
  readonly processor: DebitRefunder;
}

/** Asks the processor for the refund ordered in the session's row. After `unknown`, the sweep tries again. */
export async function finishRefund(
  { database, processor }: RefundTools,
  session: Session,
  now: number,
): Promise<Refunding> {
  const { sessionId, practiceId, fee: feeCents } = session;
  const { id: refundId, amountCents } = openOrderOf(session);
  const refunding = await processor.refundDebit({ sessionId, practiceId, refundId, amountCents, feeCents }, now);
  logInfo('debit refunded', { sessionId, refundId, result: refunding.result });
  switch (refunding.result) {
    case 'accepted':
      await acceptRefundOrder(database, session, refunding, now);
      return refunding;
    case 'refused':
      await removeRefundOrder(database, session);
      return refunding;
    case 'unknown':
      return refunding;
    default:
      return unreachable(refunding);
  }
}
