import {
  claimAfterRefund,
  isNothing,
  type RefundTotals,
  withPending,
  type RefundOrder,
} from '../../domain/payments/refund.ts';
import { transitionTime, type Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import { due, ticketGrace } from '../../domain/due.ts';
import { Fault } from '../../domain/fault.ts';
import { logError } from '../../log.ts';
import type { Database } from '../database.ts';
import { allOf, expression, type Expression } from '../expressions.ts';
import { claimInvoice } from '../payments/invoice-claims.ts';
import { entryIdTaken } from '../team/audit-log.ts';
import { transact } from '../transact.ts';
import { change, type Part } from '../writes.ts';
import { practiceReturned, updateSession } from './sessions.ts';
import { moved, writeRelease, writeTransition, type Moved } from './transitions.ts';

const noLongerDue = ['dueShard', 'dueAt', 'taken'] as const;

/** Writes the order before the processor is asked. Undefined if the session is no longer as it was read. */
export async function writeRefundOrder(
  database: Database,
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
  // Do not read it again: a parallel request may have closed the order.
  return { ...session, refundOrder };
}

/** Closes the order. A new refund shows as pending, unless a lookup has found it. The answer to a repeated request changes no totals: the next lookup does. */
export async function acceptRefundOrder(
  database: Database,
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
      // A repeated request may have closed the order already. A return in between puts the session in the list of returns.
      condition: allOf(
        expression`refundOrder.id = ${order.id}`,
        refundIsStill(session),
        expression`sequence = ${session.sequence}`,
      ),
    });
    if (shown.written) return;
  }
  await updateSession(database, sessionId, { ...closing, set: { refundOrder } });
}

/** Use it for an order that the processor refused. */
export async function removeRefundOrder(database: Database, session: Session): Promise<void> {
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

/** Replaces the totals without an event. */
export async function recordRefund(
  database: Database,
  session: Session,
  totals: RefundTotals,
  now: number,
): Promise<Moved> {
  const refund = isNothing(totals) ? undefined : { ...totals, refundedAt: toIso(transitionTime(session, now)) };
  const { written, session: row } = await updateSession(database, session.sessionId, {
    set: { refund: refund ?? null, practiceReturned: practiceReturned({ ...session, refund }) ?? null },
    // A return in between puts the session in the list of returns.
    condition: allOf(refundIsStill(session), expression`sequence = ${session.sequence}`),
  });
  return { result: written ? 'written' : 'changed', session: row };
}

/** Replaces the totals, with an event. Raises an alarm if a failed refund needs the invoice that another session has claimed. */
export async function writeRefund(
  database: Database,
  session: Session,
  name: 'refund' | 'failRefund',
  totals: RefundTotals,
  now: number,
): Promise<Moved> {
  const at = transitionTime(session, now);
  const set = { refund: { ...totals, refundedAt: toIso(at) } };
  const condition = allOf(
    refundIsStill(session),
    // If the session was scrubbed in between, its event must not bring the metadata back.
    session.scrubbedAt === undefined ? expression`attribute_not_exists(scrubbedAt)` : undefined,
  );
  const next = claimAfterRefund(session, totals);
  if (next === 'release')
    return moved(
      await writeRelease(database, session, name, {
        at,
        set: { ...set, claimsInvoice: false, refundReleased: true },
        condition,
      }),
    );
  if (next === 'keep') return moved(await writeTransition(database, session, name, { at, set, condition }));
  const change = { at, set, condition, remove: ['refundReleased'] as const };
  const claimed = await writeTransition(database, session, name, {
    ...change,
    set: { ...set, claimsInvoice: true },
    claim: claimInvoice(database, session),
  });
  if (claimed.result !== 'claimed') return moved(claimed);
  const written = moved(await writeTransition(database, session, name, change));
  if (written.result === 'written')
    logError('refund failed after another session claimed the invoice', { sessionId: session.sessionId }, [
      { metric: 'IllegalTransitions', value: 1 },
    ]);
  return written;
}

function refundIsStill({ refund }: Session): Expression {
  return refund
    ? expression`refund.amountCents = ${refund.amountCents} AND refund.refundedAt = ${refund.refundedAt}`
    : expression`attribute_not_exists(refund)`;
}
