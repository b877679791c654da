import { describe, expect, it } from 'vitest';
import { cancelPayment } from '../../functions/payments/cancel.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import { advancePayment } from '../../functions/payments/submit.ts';
import { listDue } from '../support/put-all.ts';
import { dueSessions } from '../../functions/store/sessions/sessions.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { aPayment, delay, now } from './a-payment.ts';

const { database } = await startTestTables();

describe('submitting a debit', () => {
  it('without a clear answer is submitted again, and never debits twice', async () => {
    const { sessionId, current, tools, processor, tickets, answering } = await aPayment(database, 'user_good');
    const lost = answering({
      async submitDebit(order, at) {
        await processor.submitDebit(order, at);
        return { result: 'unknown' };
      },
    });
    await advancePayment(lost, { sessionId }, now);
    expect(await current()).toMatchObject({ status: 'processing', debitAttempts: 1 });
    expect(await current()).not.toHaveProperty('debit');
    expect(await listDue(dueSessions(database, 'debit'), now + 29_999, 100)).not.toContainEqual({
      sessionId,
    });
    expect(await listDue(dueSessions(database, 'debit'), now + 30_000, 100)).toContainEqual({
      sessionId,
    });
    await advancePayment(tools, { sessionId }, now + 30_000);
    const first = { submittedAt: '2026-11-20T10:00:00.000Z' };
    expect(await current()).toMatchObject({ debit: first });
    expect(await processor.findDebit(sessionId, now + 30_000)).toMatchObject(first);
    const announced = tickets.length;
    await advancePayment(tools, { sessionId }, now + 60_000);
    expect(tickets).toHaveLength(announced);
  });

  it('that stays unclear waits longer each time', async () => {
    const { sessionId, current, answering } = await aPayment(database, 'user_good');
    const unclear = answering({ submitDebit: async () => ({ result: 'unknown' }) });
    for (const seconds of [30, 120, 600]) {
      await advancePayment(unclear, { sessionId }, now);
      expect((await current()).dueAt).toBe(new Date(now + seconds * 1000).toISOString());
    }
  });

  it.each(['pending', 'succeeded', 'failed', 'cancelled'] as const)(
    'is left out for a session that is %s',
    async (status) => {
      const { sessionId } = await storeSession(database, { status, processorAccount: 'user_good' }, now);
      const { answering } = await aPayment(database, 'user_good');
      const unasked = answering({ submitDebit: () => expect.fail('the bank was asked') });
      await expect(advancePayment(unasked, { sessionId }, now)).resolves.toBeUndefined();
    },
  );

  it('that the processor refuses fails the session with its reason', async () => {
    const { sessionId, current, answering } = await aPayment(database, 'user_good');
    const failure = { code: 'account_closed', message: 'The account is closed.' } as const;
    const refusing = answering({ submitDebit: async () => ({ result: 'refused', failure }) });
    await advancePayment(refusing, { sessionId }, now);
    expect(await current()).toMatchObject({ status: 'failed', failure, sequence: 2 });
    expect(await current()).not.toHaveProperty('debit');
  });

  it.each([{}, { cancelRequestedAt: '2026-11-20T10:00:00.000Z' }])(
    'or voiding it is left out for a session that lost its account: %j',
    async (facts) => {
      const { sessionId } = await storeSession(database, { status: 'processing', ...facts }, now);
      const { answering } = await aPayment(database, 'user_good');
      const asked = () => expect.fail('the bank was asked');
      const unasked = answering({ submitDebit: asked, voidDebit: asked });
      await expect(advancePayment(unasked, { sessionId }, now)).resolves.toBeUndefined();
      await expect(cancelPayment(unasked, { sessionId }, now)).rejects.toThrow('without an account');
    },
  );

  describe('whose authorization is older than three banking days', () => {
    // A Friday: the third banking day is Wednesday.
    const expiry = Date.parse('2026-11-26T05:00:00.000Z');

    it('is given up once the processor has voided it, and not before', async () => {
      const { sessionId, current, tools, processor } = await aPayment(database, 'user_good');
      await advancePayment(
        { database, processor: { ...processor, submitDebit: async () => ({ result: 'unknown' }) } },
        { sessionId },
        expiry,
      );
      expect(await current()).toMatchObject({ status: 'processing' });
      await advancePayment(tools, { sessionId }, expiry + 1);
      expect(await current()).toMatchObject({ status: 'failed', failure: { code: 'authorization_expired' } });
      expect(await processor.findDebit(sessionId, expiry + 1)).toBeUndefined();
    });

    it('is asked for again while nobody knows whether it was voided', async () => {
      const { sessionId, current, answering } = await aPayment(database, 'user_good');
      const unknown = answering({
        voidDebit: async () => ({ result: 'unknown' }),
        submitDebit: () => expect.fail('sent'),
      });
      await advancePayment(unknown, { sessionId }, expiry + 1);
      expect(await current()).toMatchObject({ status: 'processing', debitAttempts: 1 });
    });

    it('continues if it was submitted before, even though nobody recorded it', async () => {
      const { sessionId, current, tools, processor } = await aPayment(database, 'user_sent');
      const { processorAccount = '', practiceId, amountCents } = await current();
      await processor.submitDebit({ sessionId, practiceId, amountCents, processorAccount }, now);
      await advancePayment(tools, { sessionId }, expiry + 1);
      expect(await current()).toMatchObject({
        status: 'processing',
        debit: { submittedAt: '2026-11-20T10:00:00.000Z' },
      });
    });
  });

  it('may be recorded after the settlement, and adds only the debit', async () => {
    const { sessionId, current, tools, processor, answering } = await aPayment(database, 'user_good');
    const racing = answering({
      async submitDebit(order, at) {
        const submission = await processor.submitDebit(order, at);
        await settlePayment(tools, { sessionId }, at + delay);
        return submission;
      },
    });
    await advancePayment(racing, { sessionId }, now);
    expect(await current()).toMatchObject({
      status: 'succeeded',
      sequence: 2,
      debit: { debitId: `sandbox_${sessionId}` },
    });
  });

  it('that was voided at the processor, without our request, fails the session', async () => {
    const { sessionId, current, tools, answering } = await aPayment(database, 'user_good');
    await advancePayment(answering({ submitDebit: async () => ({ result: 'voided' }) }), { sessionId }, now);
    expect(await current()).toMatchObject({ status: 'failed', failure: { code: 'processor_error' } });
    expect(await current()).not.toHaveProperty('dueAt');
    await advancePayment(tools, { sessionId }, now);
    expect(await current()).toMatchObject({ status: 'failed', sequence: 2 });
  });
});
