import { describe, expect, it } from 'vitest';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { cancelPayment, finishCancellation } from '../../functions/payments/cancel.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import { advancePayment } from '../../functions/payments/submit.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { postponeDue } from '../../functions/store/due-index.ts';
import { listDue } from '../support/put-all.ts';
import { dueSessions, recordDebit } from '../../functions/store/sessions/sessions.ts';
import { writeFailure } from '../../functions/store/sessions/transitions.ts';
import { startTestTables } from '../support/tables.ts';
import { aPayment, delay, now } from './a-payment.ts';

const { database } = await startTestTables();

describe('cancelling a payment', () => {
  it('before it is submitted prevents its submission', async () => {
    const { sessionId, current, tools } = await aPayment(database, 'user_good');
    expect(await cancelPayment(tools, await current(), now)).toEqual({
      result: 'cancelled',
      cancelledAt: '2026-11-20T10:00:00.001Z',
    });
    expect(
      await tools.processor.submitDebit(
        { sessionId, practiceId: 'prc_1', amountCents: 1, processorAccount: 'user_good' },
        now,
      ),
    ).toEqual({ result: 'voided' });
    await advancePayment(tools, { sessionId }, now);
    await settlePayment(tools, { sessionId }, now + delay);
    expect(await current()).toMatchObject({
      status: 'cancelled',
      sequence: 2,
      cancellation: { reason: 'requested_by_practice' },
    });
  });

  it('between the submission and its record voids the debit, and the record changes nothing', async () => {
    const { sessionId, current, tools, processor, answering } = await aPayment(database, 'user_good');
    const racing = answering({
      async submitDebit(order, at) {
        const submission = await processor.submitDebit(order, at);
        expect(await cancelPayment(tools, await current(), at)).toMatchObject({ result: 'cancelled' });
        return submission;
      },
    });
    await advancePayment(racing, { sessionId }, now);
    await settlePayment(tools, { sessionId }, now + delay);
    expect(await current()).toMatchObject({ status: 'cancelled', sequence: 2 });
  });

  it('is too late once the bank has the outcome, even before it is written', async () => {
    const { sessionId, current, tools } = await aPayment(database, 'user_good');
    await advancePayment(tools, { sessionId }, now);
    expect(await cancelPayment(tools, await current(), now + delay)).toEqual({ result: 'too_late' });
    expect(await current()).toMatchObject({ status: 'processing' });
    expect(await current()).not.toHaveProperty('cancelRequestedAt');
    await settlePayment(tools, { sessionId }, now + delay);
    expect(await current()).toMatchObject({ status: 'succeeded' });
  });

  it('at the moment of settlement has one winner, and the ledger agrees', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { sessionId, current, tools, processor } = await aPayment(database, 'user_good');
      await advancePayment(tools, { sessionId }, now);
      const session = await current();
      // The cancelling function's clock is a millisecond behind.
      const [cancellation] = await Promise.all([
        cancelPayment(tools, session, now + delay - 1),
        settlePayment(tools, { sessionId }, now + delay),
      ]);
      const { status } = await current();
      expect(['cancelled', 'succeeded']).toContain(status);
      expect(cancellation.result === 'cancelled').toBe(status === 'cancelled');
      expect((await processor.findDebit(sessionId, now + delay))?.state.state).toBe(
        status === 'cancelled' ? 'voided' : 'succeeded',
      );
    }
  });

  it('with an unknown answer stays requested until the sweep finishes it', async () => {
    const { sessionId, current, tools, answering } = await aPayment(database, 'user_stuck');
    await advancePayment(tools, { sessionId }, now);
    expect(
      await cancelPayment(answering({ voidDebit: async () => ({ result: 'unknown' }) }), await current(), now),
    ).toEqual({ result: 'pending' });
    expect(await current()).toMatchObject({ status: 'processing', cancelRequestedAt: '2026-11-20T10:00:00.000Z' });
    expect(await listDue(dueSessions(database, 'cancellation'), now + 120_000, 100)).toContainEqual({
      sessionId,
    });
    await advancePayment(tools, { sessionId }, now + 120_000);
    expect(await current()).toMatchObject({ status: 'cancelled' });
    expect(await current()).not.toHaveProperty('dueAt');
    expect(await getEvent(database, sessionEventId(sessionId, 2))).toMatchObject({
      type: 'session.payment.cancelled',
    });
  });

  it('succeeds even if the processor announces the void before it answers', async () => {
    const { sessionId, current, tools, processor, answering } = await aPayment(database, 'user_stuck');
    await advancePayment(tools, { sessionId }, now);
    const racing = answering({
      async voidDebit(order, at) {
        const voiding = await processor.voidDebit(order, at);
        await settlePayment(tools, { sessionId }, at);
        return voiding;
      },
    });
    expect(await cancelPayment(racing, await current(), now)).toEqual({
      result: 'cancelled',
      cancelledAt: (await current()).cancelledAt,
    });
    expect(await current()).toMatchObject({ status: 'cancelled', sequence: 2 });
    expect(await current()).not.toHaveProperty('cancelRequestedAt');
  });

  it('that another request has finished asks the bank for nothing', async () => {
    const { sessionId, current, tools, answering } = await aPayment(database, 'user_stuck');
    const cancelled = await cancelPayment(tools, { sessionId }, now);
    const unasked = answering({ voidDebit: () => expect.fail('the bank was asked') });
    expect(await finishCancellation(unasked, await current(), now)).toEqual(cancelled);
  });

  it('reports a payment that failed before the void was recorded as closed, and leaves it so', async () => {
    const { sessionId, current, answering } = await aPayment(database, 'user_stuck');
    const failure = { code: 'account_closed', message: 'The account is closed.' } as const;
    const racing = answering({
      async voidDebit(_order, at) {
        await writeFailure(database, await current(), failure, at);
        return { result: 'voided' };
      },
    });
    expect(await cancelPayment(racing, { sessionId }, now)).toMatchObject({
      result: 'closed',
      session: { status: 'failed', failure },
    });
    expect(await current()).toMatchObject({ status: 'failed', sequence: 2 });
  });

  it('is finished once by a submission that finds the void before the answer to it arrives', async () => {
    const { sessionId, current, processor, answering } = await aPayment(database, 'user_stuck');
    const [voided, submitted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = answering({
      async voidDebit(order, at) {
        const voiding = await processor.voidDebit(order, at);
        voided.resolve();
        await submitted.promise;
        return voiding;
      },
    });
    let cancellation: ReturnType<typeof cancelPayment> | undefined;
    const racing = answering({
      async submitDebit(order, at) {
        cancellation = cancelPayment(late, { sessionId }, at);
        await voided.promise;
        return processor.submitDebit(order, at);
      },
    });
    await advancePayment(racing, { sessionId }, now);
    expect(await current()).toMatchObject({ status: 'cancelled', sequence: 2 });
    submitted.resolve();
    expect(await cancellation).toMatchObject({ result: 'cancelled' });
    expect(await current()).toMatchObject({ status: 'cancelled', sequence: 2 });
  });

  it('is not reported as a failure by a settlement that read the session before it', async () => {
    const { sessionId, current, tools, processor, answering } = await aPayment(database, 'user_stuck');
    await advancePayment(tools, { sessionId }, now);
    const unanswered = answering({
      async voidDebit(order, at) {
        await processor.voidDebit(order, at);
        return { result: 'unknown' };
      },
    });
    const racing = answering({
      async findDebit(id, at) {
        expect(await cancelPayment(unanswered, await current(), at)).toEqual({ result: 'pending' });
        return processor.findDebit(id, at);
      },
    });
    expect(await settlePayment(racing, { sessionId }, now)).toMatchObject({ result: 'agreed', status: 'cancelled' });
    expect(await getEvent(database, sessionEventId(sessionId, 2))).toMatchObject({ type: 'session.payment.cancelled' });
  });

  it('is retried every two minutes while the answer is unknown', async () => {
    const { sessionId, current, tools, answering } = await aPayment(database, 'user_stuck');
    await advancePayment(tools, { sessionId }, now);
    const unknown = answering({ voidDebit: async () => ({ result: 'unknown' }) });
    await cancelPayment(unknown, await current(), now);
    const rows = dueSessions(database, 'cancellation');
    for (const minutes of [2, 4, 6, 8, 10]) {
      const at = now + minutes * 60_000;
      expect((await postponeDue(rows, at - 1, 100)).keys).not.toContainEqual({ sessionId });
      expect((await postponeDue(rows, at, 100)).keys).toContainEqual({ sessionId });
      await advancePayment(unknown, { sessionId }, at);
    }
    expect(await current()).toMatchObject({ cancelRequestedAt: '2026-11-20T10:00:00.000Z' });
  });

  it('survives a submission that is recorded in the meantime', async () => {
    const { sessionId, current, tools, processor, answering } = await aPayment(database, 'user_stuck');
    const racing = answering({
      async submitDebit(order, at) {
        const submission = await processor.submitDebit(order, at);
        await cancelPayment(answering({ voidDebit: async () => ({ result: 'unknown' }) }), await current(), at);
        return submission;
      },
    });
    await advancePayment(racing, { sessionId }, now);
    expect(await current()).toMatchObject({
      debit: { debitId: `sandbox_${sessionId}` },
      cancelRequestedAt: '2026-11-20T10:00:00.000Z',
    });
    expect(await listDue(dueSessions(database, 'cancellation'), now + 120_000, 100)).toContainEqual({
      sessionId,
    });
    await advancePayment(tools, { sessionId }, now + 120_000);
    expect(await current()).toMatchObject({ status: 'cancelled' });
  });

  it('that is too late before the submission is recorded leaves the debit due', async () => {
    const { sessionId, current, answering } = await aPayment(database, 'user_sent');
    await cancelPayment(answering({ voidDebit: async () => ({ result: 'too_late' }) }), await current(), now);
    expect(await current()).not.toHaveProperty('cancelRequestedAt');
    expect(await listDue(dueSessions(database, 'debit'), now, 100)).toContainEqual({
      sessionId,
    });
  });
});

describe('a late cancellation', () => {
  it('stays too late, even for a caller whose clock is behind', async () => {
    const { current, tools, sessionId } = await aPayment(database, 'user_good');
    await advancePayment(tools, { sessionId }, now);
    expect(await cancelPayment(tools, await current(), now + delay)).toEqual({ result: 'too_late' });
    expect(await cancelPayment(tools, await current(), now + delay - 1)).toEqual({ result: 'too_late' });
    expect(await current()).toMatchObject({ status: 'processing' });
  });

  it('leaves nothing due if the submission is recorded during the call to the bank', async () => {
    const { current, tools, processor, sessionId, answering } = await aPayment(database, 'user_sent');
    const racing = answering({
      async voidDebit(order, at) {
        await recordDebit(database, sessionId, { debitId: 'debit', submittedAt: '2026-11-20T10:00:00.000Z' });
        return processor.voidDebit(order, at);
      },
    });
    expect(await cancelPayment(racing, await current(), now)).toEqual({ result: 'too_late' });
    expect(await current()).toMatchObject({ status: 'processing', debit: { debitId: 'debit' } });
    expect(await current()).not.toHaveProperty('dueAt');
    expect(await current()).not.toHaveProperty('cancelRequestedAt');
    await advancePayment(tools, { sessionId }, now);
    expect(await processor.findDebit(sessionId, now), 'nothing was submitted again').toBeUndefined();
  });
});
