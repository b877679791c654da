import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { day } from '../../functions/domain/time.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import { advancePayment } from '../../functions/payments/submit.ts';
import type { DebitProcessor } from '../../functions/processors/processor.ts';
import { sandboxProcessor } from '../../functions/processors/sandbox/processor.ts';
import { auditedBy, findRefundReason } from '../../functions/sessions/audit.ts';
import { refundSession } from '../../functions/sessions/refund.ts';
import { listSessions } from '../../functions/sessions/list.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { readRefunds } from '../../functions/store/sessions/session-list.ts';
import { dueSessions } from '../../functions/store/sessions/sessions.ts';
import { aPayment, delay, now } from '../payments/a-payment.ts';
import { aroundEachCall } from '../support/answered-client.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { listDue } from '../support/put-all.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const settled = now + delay;
const later = settled + 1000;

async function aPaidSession(username = 'user_good') {
  const payment = await aPayment(database, username);
  const { sessionId, tools, current } = payment;
  await advancePayment(tools, { sessionId }, now);
  await settlePayment(tools, { sessionId }, settled);
  const { practiceId } = await current();
  const refund = async (
    order: { refundId?: string; amountCents: number; reason?: string },
    { at = later, answers = {} as Partial<DebitProcessor>, session = current(), on = database } = {},
  ) => {
    const audit = auditedBy({ database: on, randomBytes }, { practiceId, author }, at);
    const body = { refundId: randomUUID(), reason: 'Paid twice', ...order };
    const processor = {
      ...sandboxProcessor(on, async (sent) => void payment.tickets.push(...sent), delay),
      ...answers,
    };
    return refundSession({ database: on, processor, ...audit }, await session, body, at);
  };
  const entries = async () => {
    const { entries: all } = await listAuditLog(database, practiceId, { limit: 100 });
    return all.filter(({ action, target }) => action === 'session.refunded' && target === sessionId);
  };
  const settle = (at: number) => settlePayment(tools, { sessionId }, at);
  const refundIsDue = async (at: number) =>
    (await listDue(dueSessions(database, 'refund'), at, 100)).some((key) => key.sessionId === sessionId);
  return { ...payment, refund, entries, settle, refundIsDue, amountCents: (await current()).amountCents };
}

const answering = (result: 'unknown') => ({ refundDebit: async () => ({ result }) }) as const;

describe('a refund', () => {
  it('is pending at once, and given back when the bank has it', async () => {
    const { sessionId, refund, current, entries, settle } = await aPaidSession();
    const refundId = randomUUID();
    expect(await findRefundReason({ database }, await current())).toBeUndefined();
    expect(await refund({ refundId, amountCents: 5000, reason: 'Insurance paid' })).toEqual({
      sessionId,
      refundId,
      amountCents: 5000,
    });
    expect(await current()).toMatchObject({
      status: 'succeeded',
      sequence: 2,
      refund: { amountCents: 5000, pendingCents: 5000, status: 'pending' },
    });
    expect(await current()).not.toHaveProperty('dueAt');
    expect(await entries()).toMatchObject([
      { author, details: { refundId, amountCents: '5000', reason: 'Insurance paid' } },
    ]);
    expect(JSON.stringify(await current())).not.toContain('Insurance');
    expect(await findRefundReason({ database }, await current())).toBe('Insurance paid');
    await settle(later + delay);
    const { refund: given, sequence } = await current();
    expect(sequence).toBe(3);
    expect(given).toEqual({ amountCents: 5000, status: 'succeeded', refundedAt: expect.any(String) });
  });

  it('is listed with the refunds of its practice while it is pending', async () => {
    const { sessionId, refund, current } = await aPaidSession();
    await refund({ amountCents: 5000 });
    const { practiceId } = await current();
    // More than other tests in this file refund.
    const listed = await readRefunds(database, practiceId, sessionId, 100);
    expect(listed.map((each) => each.sessionId)).toContain(sessionId);
  });

  it('leaves the session among the returned ones if the bank takes the money back in the meantime', async () => {
    const { sessionId, refund, current, settle } = await aPaidSession('user_late_return');
    const refundDebit: DebitProcessor['refundDebit'] = async () => {
      await settle(now + 2 * delay);
      return { result: 'accepted', isRepeated: false };
    };
    await refund({ amountCents: 5000 }, { answers: { refundDebit } });
    expect(await current()).toMatchObject({ return: {}, refundOrder: { amountCents: 5000 } });
    const { practiceId } = await current();
    const filter = { practiceId, returned: true, limit: 100 };
    const { sessions } = await listSessions({ database }, filter, later);
    expect(sessions.map((each) => each.sessionId)).toContain(sessionId);
  });

  it('is made once, however often the same request is sent', async () => {
    const { refund, current, entries } = await aPaidSession();
    const order = { refundId: randomUUID(), amountCents: 5000 };
    const answers = await Promise.all([refund(order), refund(order), refund(order)]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await refund(order, { at: later + 60_000 });
    expect(await current()).toMatchObject({ refund: { amountCents: 5000 } });
    expect(await entries()).toHaveLength(1);
  });

  it('is pending at once even if a repeated request is answered before the first', async () => {
    const { refund, current, entries } = await aPaidSession();
    const order = { refundId: randomUUID(), amountCents: 5000 };
    const { refundDebit } = sandboxProcessor(database, async () => undefined, delay);
    const answers: Partial<DebitProcessor> = {
      async refundDebit(...given) {
        const first = await refundDebit(...given);
        await refund(order);
        return first;
      },
    };
    await refund(order, { answers });
    expect(await current()).toMatchObject({ refund: { amountCents: 5000, pendingCents: 5000, status: 'pending' } });
    expect(await current()).not.toHaveProperty('dueAt');
    expect(await entries()).toHaveLength(1);
  });

  it('is never more than the payment, even if admins refund at once', async () => {
    const { refund, current, amountCents } = await aPaidSession();
    const session = current();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => refund({ amountCents: amountCents - 1 }, { session })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await current()).toMatchObject({ refund: { amountCents: amountCents - 1 } });
    expect(await problemOf(refund({ amountCents: 2 }))).toMatchObject({
      code: 'refund_too_large',
      message: 'At most $0.01 can still be refunded.',
    });
    await refund({ amountCents: 1 });
    expect(await current()).toMatchObject({ refund: { amountCents, pendingCents: amountCents } });
    expect(await problemOf(refund({ amountCents: 1 }))).toMatchObject({
      message: 'All of it is refunded already, or on its way.',
    });
  });

  it('takes back what is left by now, not what the page knew', async () => {
    const { refund, settle, amountCents, current } = await aPaidSession();
    await refund({ amountCents: 100 });
    await settle(later + delay);
    await refund({ amountCents: 200 }, { at: later + delay });
    expect(await current()).toMatchObject({ refund: { amountCents: 300, pendingCents: 200, status: 'pending' } });
    expect(await problemOf(refund({ amountCents }, { at: later + delay }))).toMatchObject({ code: 'refund_too_large' });
  });

  it('is refused for a payment that has not succeeded, was returned, or is older than 180 days', async () => {
    const failed = await aPaidSession('user_insufficient_funds');
    const returned = await aPaidSession('user_late_return');
    await returned.settle(now + 2 * delay);
    const old = await aPaidSession();
    const { settledAt = '' } = await old.current();
    const lastDay = Date.parse(settledAt) + 180 * day;
    for (const { refund, at } of [
      { ...failed, at: later },
      { ...returned, at: later + delay },
      { ...old, at: lastDay + 1 },
    ])
      expect(await problemOf(refund({ amountCents: 100 }, { at }))).toMatchObject({ code: 'session_not_refundable' });
    expect(await old.refund({ amountCents: 100 }, { at: lastDay })).toMatchObject({ amountCents: 100 });
  });

  it('that the processor refuses leaves the session as it was', async () => {
    const { refund, current, refundIsDue } = await aPaidSession();
    const before = await current();
    const refused = { refundDebit: async () => ({ result: 'refused', reason: 'disputed' }) as const };
    expect(await problemOf(refund({ amountCents: 100 }, { answers: refused }))).toMatchObject({
      code: 'refund_refused',
      message: expect.stringContaining('disputed'),
    });
    expect(await current()).toEqual(before);
    expect(await refundIsDue(later + day)).toBe(false);
    await refund({ amountCents: 100 });
  });
});

describe('a refund that the processor has not answered', () => {
  it('blocks another one, and is finished by the sweep, once', async () => {
    const { sessionId, tools, refund, current, refundIsDue, entries } = await aPaidSession();
    const order = { refundId: randomUUID(), amountCents: 100 };
    expect(await problemOf(refund(order, { answers: answering('unknown') }))).toMatchObject({ code: 'refund_pending' });
    expect(await current()).not.toHaveProperty('refund');
    expect(await problemOf(refund({ amountCents: 100 }))).toMatchObject({ code: 'refund_pending' });
    expect(await refundIsDue(later + 121_000)).toBe(true);
    for (const at of [later + 121_000, later + 122_000]) await advancePayment(tools, { sessionId }, at);
    expect(await current()).toMatchObject({ refund: { amountCents: 100, pendingCents: 100 } });
    expect(await refundIsDue(later + day)).toBe(false);
    expect(await entries()).toHaveLength(1);
  });

  it('is not counted twice if a look-up finds it first', async () => {
    const { sessionId, processor, tools, refund, current, settle } = await aPaidSession();
    const lost = {
      async refundDebit(...asked: Parameters<DebitProcessor['refundDebit']>) {
        await processor.refundDebit(...asked);
        return { result: 'unknown' } as const;
      },
    };
    await problemOf(refund({ amountCents: 100 }, { answers: lost }));
    await settle(later + 1);
    expect(await current()).toMatchObject({ refund: { amountCents: 100, pendingCents: 100 } });
    await advancePayment(tools, { sessionId }, later + 2);
    expect(await current()).toMatchObject({ refund: { amountCents: 100, pendingCents: 100 } });
    expect((await current()).refundOrder).not.toHaveProperty('isOpen');
  });

  it('whose page asks again after another refund is still made once', async () => {
    const { refund, current } = await aPaidSession();
    const order = { refundId: randomUUID(), amountCents: 100 };
    await refund(order);
    await refund({ amountCents: 200 });
    await refund(order);
    expect(await current()).toMatchObject({ refund: { amountCents: 300, pendingCents: 300 } });
  });

  it('keeps its ID: another amount needs another one', async () => {
    const { refund } = await aPaidSession();
    const refundId = randomUUID();
    await problemOf(refund({ refundId, amountCents: 100 }, { answers: answering('unknown') }));
    expect(await problemOf(refund({ refundId, amountCents: 101 }))).toMatchObject({ code: 'refund_id_reused' });
  });
});

describe('a refund that crashes at any request to the database', () => {
  class Crash extends Error {}

  it.each(['before', 'after'] as const)('%s it is sent, is made once when the sweep goes on', async (when) => {
    for (let crashing = 1; ; crashing += 1) {
      const { sessionId, refund, current, settle } = await aPaidSession();
      let calls = 0;
      const dying = aroundEachCall(database, async (_call, perform) => {
        const isCrash = (calls += 1) === crashing;
        if (isCrash && when === 'before') throw new Crash();
        const answer = await perform();
        if (isCrash) throw new Crash();
        return answer;
      });
      const order = { refundId: randomUUID(), amountCents: 100 };
      const failed = await refund(order, { on: dying }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failed !== undefined) expect(failed).toBeInstanceOf(Crash);
      const swept = sandboxProcessor(database, async () => undefined, delay);
      await advancePayment({ database, processor: swept }, { sessionId }, later + 1);
      const wasOrdered = (await current()).refundOrder !== undefined;
      await settle(later + 2);
      await settle(later + 2 * delay);
      const { refund: given, refundOrder } = await current();
      expect(refundOrder?.isOpen).toBeUndefined();
      expect(given).toEqual(
        wasOrdered ? { amountCents: 100, status: 'succeeded', refundedAt: expect.any(String) } : undefined,
      );
      if (failed === undefined) break;
    }
  });
});
