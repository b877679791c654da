import { givenBack, isNothing, type RefundTotals } from '../../domain/payments/refund.ts';
import { transitionTime, type Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import { logError } from '../../log.ts';
import { allOf, expression, type Expression } from '../expressions.ts';
import { claimInvoice } from '../payments/invoice-claims.ts';
import { practiceReturned, updateSession } from './sessions.ts';
import { moved, writeRelease, writeTransition, type Moved, type Settling } from './transitions.ts';

/** Replaces the totals without an event. */
export async function recordRefund(
  database: Settling,
  session: Session,
  totals: RefundTotals,
  now: number,
): Promise<Moved> {
  const refund = isNothing(totals) ? undefined : { ...totals, refundedAt: toIso(transitionTime(session, now)) };
  const { written, session: row } = await updateSession(database, session.sessionId, {
    set: { refund: refund ?? null, practiceReturned: practiceReturned({ ...session, refund }) ?? null },
    // A return in between lists the session as returned.
    condition: allOf(refundIsStill(session), expression`sequence = ${session.sequence}`),
  });
  return { result: written ? 'written' : 'changed', session: row };
}

/**
 * Replaces the totals, with an event. The invoice of a session that was refunded in full can be paid again; if such a refund
 * fails later, the session takes its claim back, unless another session has it: then an alarm is raised.
 */
export async function writeRefund(
  database: Settling,
  session: Session,
  name: 'refund' | 'failRefund',
  totals: RefundTotals,
  now: number,
): Promise<Moved> {
  const at = transitionTime(session, now);
  const isWhole = givenBack(totals) >= session.amountCents;
  const set = { refund: { ...totals, refundedAt: toIso(at) } };
  const condition = allOf(
    refundIsStill(session),
    // The event of a session that was scrubbed in between must not bring its metadata back.
    session.scrubbedAt === undefined ? expression`attribute_not_exists(scrubbedAt)` : undefined,
  );
  if (isWhole && session.claimsInvoice)
    return moved(
      await writeRelease(database, session, name, {
        at,
        set: { ...set, claimsInvoice: false, refundReleased: true },
        condition,
      }),
    );
  const claimsAgain = !isWhole && session.refundReleased === true && session.return === undefined;
  const change = { at, set, condition, ...(claimsAgain && { remove: ['refundReleased'] as const }) };
  if (!claimsAgain) return moved(await writeTransition(database, session, name, change));
  const claims = claimInvoice(database, session);
  const claimed = await writeTransition(database, session, name, {
    ...change,
    set: { ...set, claimsInvoice: true },
    claims,
  });
  if (claimed.result !== 'claimed') return moved(claimed);
  const written = moved(await writeTransition(database, session, name, change));
  if (written.result === 'written')
    logError('refund failed after another session claimed the invoice', { sessionId: session.sessionId }, [
      { metric: 'IllegalTransitions', value: 1 },
    ]);
  return written;
}

export function refundIsStill({ refund }: Session): Expression {
  return refund
    ? expression`refund.amountCents = ${refund.amountCents} AND refund.refundedAt = ${refund.refundedAt}`
    : expression`attribute_not_exists(refund)`;
}
