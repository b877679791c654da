import { due, ticketGrace } from '../../domain/due.ts';
import { Fault } from '../../domain/fault.ts';
import { withPending, type RefundOrder } from '../../domain/payments/refund.ts';
import { transitionTime, type Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { allOf, expression } from '../expressions.ts';
import { entryIdTaken } from '../team/audit-log.ts';
import { transact } from '../transact.ts';
import { change, type Part } from '../writes.ts';
import { refundIsStill } from './refunds.ts';
import { practiceReturned, updateSession } from './sessions.ts';

type Sessions = Database<'sessions'>;

const noLongerDue = ['dueShard', 'dueAt', 'taken'] as const;

/** Writes the order before the processor is asked. Undefined if the session is no longer as it was read. */
export async function writeRefundOrder(
  database: Sessions,
  session: Session,
  order: Pick<RefundOrder, 'id' | 'amountCents'>,
  audit: Part | undefined,
  now: number,
): Promise<Session | undefined> {
  const { sessionId, refundOrder: last } = session;
  const refundOrder: RefundOrder = { ...order, at: now, isOpen: true };
  const changes = {
    set: { refundOrder, ...due('refund', sessionId, now + ticketGrace) },
    condition: allOf(
      expression`status = ${'succeeded'}`,
      expression`attribute_not_exists(return)`,
      refundIsStill(session),
      last ? expression`refundOrder.id = ${last.id}` : expression`attribute_not_exists(refundOrder)`,
    ),
  };
  const refused = await transact(database, {
    session: change(database, 'sessions', { sessionId }, changes),
    audit,
  });
  if (refused?.has('session')) return undefined;
  if (refused) throw entryIdTaken();
  // Not read again: a parallel request may have closed the order.
  return { ...session, refundOrder };
}

/** Closes the order. Shows a new refund as pending, unless a look-up has found it; what was repeated is for look-ups. */
export async function acceptRefundOrder(
  database: Sessions,
  session: Session,
  { isRepeated }: { readonly isRepeated: boolean },
  now: number,
): Promise<void> {
  const { sessionId, refund } = session;
  const order = openOrderOf(session);
  const { isOpen: _, ...refundOrder } = order;
  const closing = { remove: noLongerDue, condition: isOpen(order) };
  if (!isRepeated) {
    const refundedAt = toIso(transitionTime(session, now));
    const pending = { ...withPending(refund, order.amountCents), refundedAt };
    const shown = await updateSession(database, sessionId, {
      ...closing,
      set: { refundOrder, refund: pending, practiceReturned: practiceReturned({ ...session, refund: pending }) },
      // A return in between lists the session as returned.
      condition: allOf(closing.condition, refundIsStill(session), expression`sequence = ${session.sequence}`),
    });
    if (shown.written) return;
  }
  await updateSession(database, sessionId, { ...closing, set: { refundOrder } });
}

/** For an order that the processor refused. */
export async function removeRefundOrder(database: Sessions, session: Session): Promise<void> {
  await updateSession(database, session.sessionId, {
    remove: ['refundOrder', ...noLongerDue],
    condition: isOpen(openOrderOf(session)),
  });
}

export function openOrderOf({ sessionId, refundOrder }: Session): RefundOrder {
  if (!refundOrder?.isOpen) throw new Fault(`${sessionId} has no open refund`);
  return refundOrder;
}

function isOpen({ id }: RefundOrder) {
  return expression`refundOrder.id = ${id} AND attribute_exists(refundOrder.isOpen)`;
}
