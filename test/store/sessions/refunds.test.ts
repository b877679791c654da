import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RefundTotals } from '../../../functions/domain/payments/refund.ts';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { ticketGrace } from '../../../functions/domain/due.ts';
import { minute, toIso } from '../../../functions/domain/time.ts';
import { sessionEventId } from '../../../functions/domain/webhooks/event.ts';
import { claimInvoice, getClaimingSessionId } from '../../../functions/store/payments/invoice-claims.ts';
import {
  acceptRefundOrder,
  recordRefund,
  removeRefundOrder,
  writeRefund,
  writeRefundOrder,
} from '../../../functions/store/sessions/refunds.ts';
import { readRefunds } from '../../../functions/store/sessions/session-list.ts';
import { dueSessions, getExistingSession, scrubSession } from '../../../functions/store/sessions/sessions.ts';
import { writeReturn } from '../../../functions/store/sessions/transitions.ts';
import { auditPart, listAuditLog } from '../../../functions/store/team/audit-log.ts';
import { transact } from '../../../functions/store/transact.ts';
import { getEvent } from '../../../functions/store/webhooks/events.ts';
import { beforeEachCall } from '../../support/answered-client.ts';
import { anEntry, storeSession } from '../../support/create-practice.ts';
import { measuredBy } from '../../support/logged.ts';
import { listDue } from '../../support/put-all.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const settledAt = '2026-11-20T09:00:00.000Z';
const earlier = '2026-11-20T09:30:00.000Z';
const amountCents = 18_250;

const paid = (differences: Partial<Session> = {}) =>
  storeSession(database, {
    practiceId: `prc_${randomUUID()}`,
    status: 'succeeded',
    sequence: 2,
    settledAt,
    ...differences,
  });
const read = ({ sessionId }: Session) => getExistingSession(database, sessionId);
const order = (session: Session, id: string = randomUUID()) =>
  writeRefundOrder(database, session, { id, amountCents: 100 }, undefined, now);
const withRefund = (cents: number, at = earlier) =>
  ({ refund: { amountCents: cents, status: 'succeeded', refundedAt: at } }) as const;

async function ordered(differences: Partial<Session> = {}): Promise<Session> {
  return (await order(await paid(differences))) ?? expect.fail('the order was refused');
}

describe('the order of a refund', () => {
  it('is in the row before the processor is asked, and due after two minutes', async () => {
    const session = await ordered();
    expect(session.refundOrder).toMatchObject({ amountCents: 100, at: now, isOpen: true });
    expect((await read(session)).refundOrder).toEqual(session.refundOrder);
    const { sessionId } = session;
    const refunds = dueSessions(database, 'refund');
    expect(await listDue(refunds, now + ticketGrace - 1, 100)).not.toContainEqual({ sessionId });
    expect(await listDue(refunds, now + ticketGrace, 100)).toContainEqual({ sessionId });
  });

  it.each<[string, Partial<Session>, Partial<Session>]>([
    ['was never paid', { status: 'processing' }, { status: 'succeeded' }],
    ['was returned since', { return: { code: 'insufficient_funds', returnedAt: earlier } }, { return: undefined }],
    ['was refunded since', withRefund(200), { refund: undefined }],
    ['has another amount refunded', withRefund(200), withRefund(100)],
    ['has the same amount refunded at another time', withRefund(200), withRefund(200, settledAt)],
    ['has lost a refund, which failed', {}, withRefund(200)],
    [
      'has another order',
      { refundOrder: { id: 'other', amountCents: 1, at: 1 } },
      { refundOrder: { id: 'one', amountCents: 1, at: 1 } },
    ],
    ['has its first order', { refundOrder: { id: 'other', amountCents: 1, at: 1 } }, { refundOrder: undefined }],
    ['has lost its order', {}, { refundOrder: { id: 'one', amountCents: 1, at: 1 } }],
  ])('is refused if the session %s', async (_, stored, asRead) => {
    const session = await paid(stored);
    const before = await read(session);
    expect(await order({ ...session, ...asRead })).toBeUndefined();
    expect(await read(session)).toEqual(before);
  });

  it('is written with its audit entry, and is a fault if that exists already', async () => {
    const { practiceId, ...session } = await paid();
    const entry = anEntry(practiceId);
    const write = (to: Session) =>
      writeRefundOrder(database, to, { id: 'order', amountCents: 100 }, auditPart(database, entry), now);
    expect(await write({ ...session, practiceId })).toMatchObject({ refundOrder: { id: 'order' } });
    expect((await listAuditLog(database, practiceId, { limit: 10 })).entries).toHaveLength(1);
    const other = await paid();
    await expect(write(other)).rejects.toThrow();
    expect(await read(other)).not.toHaveProperty('refundOrder');
  });
});

describe('an accepted refund', () => {
  const accept = (session: Session, isRepeated = false, at = now) =>
    acceptRefundOrder(database, session, { isRepeated }, at);

  it('is pending in the totals, later than all that was before, and its order is no longer due', async () => {
    const session = await ordered(withRefund(200, toIso(now)));
    await accept(session);
    const { refund, refundOrder, ...row } = await read(session);
    expect(refund).toEqual({ amountCents: 300, pendingCents: 100, status: 'pending', refundedAt: toIso(now + 1) });
    expect(refundOrder).not.toHaveProperty('isOpen');
    for (const name of ['dueShard', 'dueAt']) expect(row).not.toHaveProperty(name);
    const { sessionId } = session;
    expect(await listDue(dueSessions(database, 'refund'), now + minute * 60, 100)).not.toContainEqual({ sessionId });
  });

  it('that was repeated changes no totals, but closes the order', async () => {
    const session = await ordered();
    await accept(session, true);
    const row = await read(session);
    expect(row).not.toHaveProperty('refund');
    expect(row.refundOrder).not.toHaveProperty('isOpen');
  });

  it.each<[string, (session: Session) => Promise<unknown>, object]>([
    [
      'found by a look-up',
      (session) => recordRefund(database, session, { amountCents: 100, pendingCents: 100, status: 'pending' }, now),
      { amountCents: 100, pendingCents: 100 },
    ],
    [
      'arrived by then',
      (session) => writeRefund(database, session, 'refund', { amountCents: 100, status: 'succeeded' }, now),
      { amountCents: 100, status: 'succeeded' },
    ],
  ])('is not counted again if it was %s', async (_, meanwhile, refund) => {
    const session = await ordered();
    await meanwhile(session);
    await accept(session);
    const row = await read(session);
    expect(row.refund).toMatchObject(refund);
    expect(row.refundOrder).not.toHaveProperty('isOpen');
  });

  it('is not shown if the bank took the payment back in the meantime, and its order is closed', async () => {
    const session = await ordered();
    await writeReturn(database, session, { code: 'insufficient_funds' }, now);
    await accept(session);
    const row = await read(session);
    expect(row).not.toHaveProperty('refund');
    expect(row.refundOrder).not.toHaveProperty('isOpen');
  });

  it.each([true, false])('never closes a later order (repeated: %s)', async (isRepeated) => {
    const first = await ordered();
    await accept(first);
    const second = (await order(await read(first), 'second')) ?? expect.fail('refused');
    const before = await read(second);
    await accept(first, isRepeated);
    expect(await read(second)).toEqual(before);
  });

  it('never takes the place of a later order, after a repeated request has closed its own without new totals', async () => {
    const first = await ordered();
    await accept(first, true);
    const second = (await order(await read(first), 'second')) ?? expect.fail('refused');
    const before = await read(second);
    await accept(first);
    expect(await read(second)).toEqual(before);
  });

  it('needs an open order', async () => {
    await expect(accept(await paid())).rejects.toThrow('has no open refund');
    const session = await ordered();
    await accept(session);
    await expect(accept(await read(session))).rejects.toThrow('has no open refund');
  });
});

describe('a refused refund', () => {
  it('leaves no order, but never removes a later or a closed one', async () => {
    const first = await ordered();
    await removeRefundOrder(database, first);
    expect(await read(first)).not.toHaveProperty('refundOrder');
    const second = (await order(await read(first), 'second')) ?? expect.fail('refused');
    const before = await read(second);
    await removeRefundOrder(database, first);
    expect(await read(second)).toEqual(before);
    await acceptRefundOrder(database, second, { isRepeated: true }, now);
    await removeRefundOrder(database, second);
    expect((await read(second)).refundOrder).toMatchObject({ id: 'second' });
  });
});

describe('the totals of refunds that a look-up found', () => {
  const pending: RefundTotals = { amountCents: 100, pendingCents: 100, status: 'pending' };

  it('are written without an event, and removed when they say nothing', async () => {
    const session = await paid();
    const { result, session: shown } = await recordRefund(database, session, pending, now);
    expect(result).toBe('written');
    expect(shown).toMatchObject({ sequence: 2, refund: { ...pending, refundedAt: toIso(now) } });
    const { practiceId, sessionId } = session;
    const listed = async () => (await readRefunds(database, practiceId, 'ses_', 10)).map((each) => each.sessionId);
    expect(await listed()).toEqual([sessionId]);
    await recordRefund(database, shown, { amountCents: 0 }, now + 1);
    expect(await read(session)).not.toHaveProperty('refund');
    expect(await listed()).toEqual([]);
    const failed = await recordRefund(database, await read(session), { amountCents: 0, failedCents: 100 }, now + 2);
    expect(failed.session.refund).toMatchObject({ amountCents: 0, failedCents: 100 });
  });

  it('are refused if others were recorded, or the session changed, since they were read', async () => {
    const session = await paid();
    await recordRefund(database, session, pending, now);
    const before = await read(session);
    expect(await recordRefund(database, session, { amountCents: 50 }, now)).toEqual({
      result: 'changed',
      session: before,
    });
    const returned = (await writeReturn(database, before, { code: 'insufficient_funds' }, now)).session;
    expect(await recordRefund(database, before, { amountCents: 50 }, now)).toMatchObject({ result: 'changed' });
    expect(await read(session)).toEqual(await read(returned));
  });
});

describe('the event of a refund', () => {
  const arrived = (cents: number): RefundTotals => ({ amountCents: cents, status: 'succeeded' });

  it('is not written if other totals were recorded since', async () => {
    const session = await paid();
    await recordRefund(database, session, { amountCents: 50, pendingCents: 50, status: 'pending' }, now);
    expect(await writeRefund(database, session, 'refund', arrived(100), now)).toMatchObject({ result: 'changed' });
    expect(await getEvent(database, sessionEventId(session.sessionId, 3))).toBeUndefined();
  });

  it('does not bring back the metadata of a session that was scrubbed since, and has none of one that was before', async () => {
    const session = await paid();
    const scrubbed = await scrubSession(database, session.sessionId, now);
    expect(await writeRefund(database, session, 'refund', arrived(100), now)).toMatchObject({ result: 'changed' });
    expect(await writeRefund(database, scrubbed, 'refund', arrived(100), now)).toMatchObject({ result: 'written' });
    const event = await getEvent(database, sessionEventId(session.sessionId, 3));
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ data: { metadata: {} } });
  });

  async function claiming(differences: Partial<Session> = {}) {
    const session = await paid({ invoiceId: randomUUID(), claimsInvoice: true, ...differences });
    await transact(database, { claim: claimInvoice(database, session) });
    return session;
  }

  it('frees the invoice once the whole amount has arrived, and takes it again if a part of it failed', async () => {
    const session = await claiming();
    const whole = await writeRefund(database, session, 'refund', arrived(amountCents), now);
    expect(whole.session).toMatchObject({ claimsInvoice: false, refundReleased: true });
    expect(await getClaimingSessionId(database, session)).toBeUndefined();
    const failed: RefundTotals = { amountCents: amountCents - 1, status: 'failed', failedCents: 1 };
    expect(await writeRefund(database, whole.session, 'failRefund', failed, now)).toMatchObject({ result: 'written' });
    const row = await read(session);
    expect(row).toMatchObject({ claimsInvoice: true });
    expect(row).not.toHaveProperty('refundReleased');
    expect(await getClaimingSessionId(database, session)).toBe(session.sessionId);
  });

  it.each<[string, Partial<Session>, number]>([
    ['the whole amount of a session that had no claim', {}, amountCents],
    ['a part', { claimsInvoice: true }, amountCents - 1],
  ])('releases no claim if it gave back %s', async (_, differences, cents) => {
    const session = await paid({ invoiceId: randomUUID(), ...differences });
    await transact(database, { claim: claimInvoice(database, session) });
    expect(await writeRefund(database, session, 'refund', arrived(cents), now)).toMatchObject({ result: 'written' });
    const row = await read(session);
    expect(row.claimsInvoice).toBe(session.claimsInvoice);
    expect(row).not.toHaveProperty('refundReleased');
    expect(await getClaimingSessionId(database, session)).toBe(session.sessionId);
  });

  it.each<[string, Partial<Session>]>([
    ['whose claim no refund released', {}],
    [
      'that the bank took back as well',
      { refundReleased: true, return: { code: 'insufficient_funds', returnedAt: earlier } },
    ],
  ])('claims no invoice for a session %s', async (_, differences) => {
    const session = await paid({ invoiceId: randomUUID(), ...withRefund(amountCents), ...differences });
    const failed: RefundTotals = { amountCents: 0, status: 'failed', failedCents: amountCents };
    expect(await writeRefund(database, session, 'failRefund', failed, now)).toMatchObject({ result: 'written' });
    expect(await getClaimingSessionId(database, session)).toBeUndefined();
    const { refundReleased } = await read(session);
    expect(refundReleased).toBe(session.refundReleased);
  });

  /** A full refund has released the invoice, which another session has claimed. */
  async function refundedAndPaidElsewhere() {
    const session = await claiming();
    const whole = await writeRefund(database, session, 'refund', arrived(amountCents), now);
    const { practiceId, invoiceId } = session;
    await transact(database, { claim: claimInvoice(database, { practiceId, invoiceId, sessionId: 'ses_other' }) });
    return { session, whole };
  }

  it('raises an alarm if it failed after another session has claimed the invoice, once', async () => {
    const { session, whole } = await refundedAndPaidElsewhere();
    const failed: RefundTotals = { amountCents: 0, status: 'failed', failedCents: amountCents };
    const fail = () =>
      measuredBy(['IllegalTransitions'], () => writeRefund(database, whole.session, 'failRefund', failed, now));
    expect(await fail()).toEqual(['IllegalTransitions']);
    expect(await fail(), 'it is as it was read no longer').toEqual([]);
    expect(await read(session)).toMatchObject({ refund: { failedCents: amountCents }, sequence: 4 });
  });

  it('raises no alarm if another look-up wrote it between the refusal by the claim and the second write', async () => {
    const { whole } = await refundedAndPaidElsewhere();
    const failed: RefundTotals = { amountCents: 0, status: 'failed', failedCents: amountCents };
    let writes = 0;
    const raced = beforeEachCall(database, async ({ operation }) => {
      if (operation === 'TransactWriteItems' && (writes += 1) === 2)
        await writeRefund(database, whole.session, 'failRefund', failed, now);
    });
    const raised = await measuredBy(['IllegalTransitions'], () =>
      writeRefund(raced, whole.session, 'failRefund', failed, now),
    );
    expect(raised, 'by the other one').toEqual(['IllegalTransitions']);
  });
});
