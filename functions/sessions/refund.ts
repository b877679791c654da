import { Problem } from '../contract/problem.ts';
import type { OrderedRefund, RefundBody } from '../contract/sessions/refund-session.ts';
import { unreachable } from '../domain/fault.ts';
import { formatDollars } from '../domain/payments/authorization.ts';
import { refundPeriod } from '../domain/payments/refund.ts';
import type { Session } from '../domain/sessions/session.ts';
import { finishRefund, type RefundTools } from '../payments/refund.ts';
import type { RefundRefusal } from '../processors/processor.ts';
import { openOrderOf, writeRefundOrder } from '../store/sessions/refunds.ts';
import { getExistingSession } from '../store/sessions/sessions.ts';
import type { SessionAudit } from './audit.ts';

/** Refunds once per `refundId`. Throws a Problem unless the processor has accepted the refund. */
export async function refundSession(
  tools: RefundTools & SessionAudit,
  session: Session,
  body: RefundBody,
  now: number,
): Promise<OrderedRefund> {
  const { sessionId, refundOrder: last } = session;
  const { refundId, amountCents, reason } = body;
  if (last?.id === refundId) {
    if (last.amountCents !== amountCents) throw new Problem('refund_id_reused', 'Use a new ID for another refund.');
    return last.isOpen ? finish(tools, session, now) : { sessionId, refundId, amountCents };
  }
  if (last?.isOpen) throw pending('Another refund of this payment is not finished.');
  requireRefundable(session, amountCents, now);
  const audit = tools.audit?.('session.refunded', session, { refundId, amountCents: String(amountCents), reason });
  const ordered = await writeRefundOrder(tools.database, session, { id: refundId, amountCents }, audit, now);
  return ordered
    ? finish(tools, ordered, now)
    : refundSession(tools, await getExistingSession(tools.database, sessionId), body, now);
}

function requireRefundable({ status, settledAt, refund, ...session }: Session, amountCents: number, now: number): void {
  const extra = { sessionStatus: status };
  if (status !== 'succeeded' || settledAt === undefined)
    throw new Problem('session_not_refundable', 'Only a payment that succeeded can be refunded.', { extra });
  if (session.return)
    throw new Problem('session_not_refundable', 'The bank took the money back, so the patient has it already.', {
      extra,
    });
  if (now > Date.parse(settledAt) + refundPeriod)
    throw new Problem(
      'session_not_refundable',
      'The invoice was paid more than 180 days ago. Pay the patient another way.',
      {
        extra,
      },
    );
  const leftCents = session.amountCents - (refund?.amountCents ?? 0);
  if (amountCents > leftCents)
    throw new Problem(
      'refund_too_large',
      leftCents === 0
        ? 'All of it is refunded already, or on its way.'
        : `At most ${formatDollars(leftCents)} can still be refunded.`,
      { extra: { leftCents } },
    );
}

async function finish(tools: RefundTools, session: Session, now: number): Promise<OrderedRefund> {
  const { sessionId } = session;
  const { id: refundId, amountCents } = openOrderOf(session);
  const refunding = await finishRefund(tools, session, now);
  switch (refunding.result) {
    case 'accepted':
      return { sessionId, refundId, amountCents };
    case 'refused':
      throw new Problem('refund_refused', refusals[refunding.reason]);
    case 'unknown':
      throw pending('The payment processor has not answered yet.');
    default:
      return unreachable(refunding);
  }
}

const refusals: Readonly<Record<RefundRefusal, string>> = {
  disputed: 'The patient has disputed the payment with the bank, which will decide.',
  too_large: 'Less is left to refund. Reload the page.',
  balance_too_low: 'The balance at the payment processor is too low. Try again after the next payments.',
  other: 'The payment processor does not refund this payment. Ask whoever operates the payment service.',
};

function pending(why: string): Problem {
  return new Problem('refund_pending', `${why} The service keeps retrying. The payment's page will show the outcome.`, {
    headers: { 'retry-after': '30' },
  });
}
