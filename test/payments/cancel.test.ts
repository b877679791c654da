import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/session.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { cancelPayment } from '../../functions/payments/cancel.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import { advancePayment } from '../../functions/payments/submit.ts';
import type { DebitProcessor } from '../../functions/processors/processor.ts';
import { sandboxProcessor } from '../../functions/processors/sandbox/processor.ts';
import { getEvent } from '../../functions/store/events.ts';
import { listDue, takeDue } from '../../functions/store/due-index.ts';
import { insertSession, getSession, dueSessions, recordDebit } from '../../functions/store/sessions.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';
import type { Tables } from '../support/tables.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T10:00:00.000Z');
const delay = 3000;

/** A session in `processing`, the sandbox bank, and the tickets that the bank sent. */
async function aPayment(username: string) {
  const session = aSession({
    sessionId: `ses_${ulid(now, randomBytes)}`,
    status: 'processing',
    sequence: 1,
    processingAt: '2026-11-20T10:00:00.000Z',
    lastTransitionAt: '2026-11-20T10:00:00.000Z',
    processorAccount: username,
  });
  await insertSession(tables.database, session, undefined, now);
  const tickets: Ticket[] = [];
  const processor = sandboxProcessor(tables.database, async (sent) => void tickets.push(...sent), delay);
  const current = async (): Promise<Session> => {
    const found = await getSession(tables.database, session.sessionId);
    if (!found) throw new Error('missing');
    return found;
  };
  return { sessionId: session.sessionId, processor, tickets, current, tools: { database: tables.database, processor } };
}

/** The same processor, but that one call answers as told. */
function instead(
  processor: DebitProcessor,
  answers: Partial<DebitProcessor>,
): { database: Tables['database']; processor: DebitProcessor } {
  return { database: tables.database, processor: { ...processor, ...answers } };
}

describe('cancelling a payment', () => {
  it('before it was submitted keeps it from ever being submitted', async () => {
    const { sessionId, current, tools } = await aPayment('user_good');
    expect(await cancelPayment(tools, await current(), now)).toEqual({
      result: 'cancelled',
      cancelledAt: '2026-11-20T10:00:00.001Z',
    });
    expect(
      await tools.processor.submitDebit({ sessionId, amountCents: 1, processorAccount: 'user_good' }, now),
    ).toEqual({ result: 'voided' });
    await advancePayment(tools, { sessionId }, now);
    await settlePayment(tools, { sessionId }, now + delay);
    expect(await current()).toMatchObject({
      status: 'cancelled',
      sequence: 2,
      cancellation: { reason: 'requested_by_practice' },
    });
  });

  it('between the submission and its record voids the debit; the record changes nothing', async () => {
    const { sessionId, current, tools, processor } = await aPayment('user_good');
    const racing = instead(processor, {
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

  it('after the bank has told the outcome is too late, even before the outcome is written', async () => {
    const { sessionId, current, tools } = await aPayment('user_good');
    await advancePayment(tools, { sessionId }, now);
    expect(await cancelPayment(tools, await current(), now + delay)).toEqual({ result: 'too_late' });
    expect(await current()).toMatchObject({ status: 'processing' });
    expect(await current()).not.toHaveProperty('cancelRequestedAt');
    await settlePayment(tools, { sessionId }, now + delay);
    expect(await current()).toMatchObject({ status: 'succeeded' });
  });

  it('at the moment of settlement has one winner, and the ledger agrees with the session', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { sessionId, current, tools, processor } = await aPayment('user_good');
      await advancePayment(tools, { sessionId }, now);
      const session = await current();
      // The cancelling function's clock is a moment behind the settling one's.
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

  it('whose answer is unknown stays requested, is due for the sweep, and is finished by it', async () => {
    const { sessionId, current, tools, processor } = await aPayment('user_stuck');
    await advancePayment(tools, { sessionId }, now);
    expect(
      await cancelPayment(instead(processor, { voidDebit: async () => ({ result: 'unknown' }) }), await current(), now),
    ).toEqual({ result: 'pending' });
    expect(await current()).toMatchObject({ status: 'processing', cancelRequestedAt: '2026-11-20T10:00:00.000Z' });
    expect(
      await listDue(tables.database, dueSessions(tables.database, 'cancellation'), now + 120_000, 100),
    ).toContainEqual({ sessionId });
    await advancePayment(tools, { sessionId }, now + 120_000);
    expect(await current()).toMatchObject({ status: 'cancelled' });
    expect(await current()).not.toHaveProperty('dueAt');
    expect(await getEvent(tables.database, sessionEventId(sessionId, 2))).toMatchObject({
      type: 'session.payment.cancelled',
    });
  });

  it('is insisted on every two minutes, however often the answer is unknown', async () => {
    const { sessionId, current, tools, processor } = await aPayment('user_stuck');
    await advancePayment(tools, { sessionId }, now);
    const unknown = instead(processor, { voidDebit: async () => ({ result: 'unknown' }) });
    await cancelPayment(unknown, await current(), now);
    const rows = dueSessions(tables.database, 'cancellation');
    for (const minutes of [2, 4, 6, 8, 10]) {
      const at = now + minutes * 60_000;
      expect((await takeDue(tables.database, rows, at - 1, 100)).keys).not.toContainEqual({ sessionId });
      expect((await takeDue(tables.database, rows, at, 100)).keys).toContainEqual({ sessionId });
      await advancePayment(unknown, { sessionId }, at);
    }
    expect(await current()).toMatchObject({ cancelRequestedAt: '2026-11-20T10:00:00.000Z' });
  });

  it('is not forgotten by a submission that is recorded meanwhile', async () => {
    const { sessionId, current, tools, processor } = await aPayment('user_stuck');
    const racing = instead(processor, {
      async submitDebit(order, at) {
        const submission = await processor.submitDebit(order, at);
        await cancelPayment(
          instead(processor, { voidDebit: async () => ({ result: 'unknown' }) }),
          await current(),
          at,
        );
        return submission;
      },
    });
    await advancePayment(racing, { sessionId }, now);
    expect(await current()).toMatchObject({
      debit: { debitId: `sandbox_${sessionId}` },
      cancelRequestedAt: '2026-11-20T10:00:00.000Z',
    });
    expect(
      await listDue(tables.database, dueSessions(tables.database, 'cancellation'), now + 120_000, 100),
    ).toContainEqual({ sessionId });
    await advancePayment(tools, { sessionId }, now + 120_000);
    expect(await current()).toMatchObject({ status: 'cancelled' });
  });

  it('that is given up before the submission was recorded leaves the debit due for it', async () => {
    const { sessionId, current, processor } = await aPayment('user_sent');
    await cancelPayment(instead(processor, { voidDebit: async () => ({ result: 'too_late' }) }), await current(), now);
    expect(await listDue(tables.database, dueSessions(tables.database, 'debit'), now, 100)).toContainEqual({
      sessionId,
    });
  });
});

describe('a cancellation that comes too late', () => {
  it('stays too late, also for a caller whose clock is behind', async () => {
    const { current, tools, sessionId } = await aPayment('user_good');
    await advancePayment(tools, { sessionId }, now);
    expect(await cancelPayment(tools, await current(), now + delay)).toEqual({ result: 'too_late' });
    expect(await cancelPayment(tools, await current(), now + delay - 1)).toEqual({ result: 'too_late' });
    expect(await current()).toMatchObject({ status: 'processing' });
  });

  it('leaves nothing due where the submission was recorded while the bank was asked', async () => {
    const { current, tools, processor, sessionId } = await aPayment('user_sent');
    const racing = instead(processor, {
      async voidDebit(order, at) {
        await recordDebit(tables.database, sessionId, { debitId: 'debit', submittedAt: '2026-11-20T10:00:00.000Z' });
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

describe('submitting a debit', () => {
  it('without a clear answer is tried again later, after a look-up, and never debits twice', async () => {
    const { sessionId, current, tools, processor, tickets } = await aPayment('user_good');
    const lost = instead(processor, {
      async submitDebit(order, at) {
        await processor.submitDebit(order, at);
        return { result: 'unknown' };
      },
    });
    await advancePayment(lost, { sessionId }, now);
    expect(await current()).toMatchObject({ status: 'processing', debitAttempts: 1 });
    expect(await current()).not.toHaveProperty('debit');
    expect(await listDue(tables.database, dueSessions(tables.database, 'debit'), now + 29_999, 100)).not.toContainEqual(
      { sessionId },
    );
    expect(await listDue(tables.database, dueSessions(tables.database, 'debit'), now + 30_000, 100)).toContainEqual({
      sessionId,
    });
    let submissions = 0;
    await advancePayment(
      instead(processor, { submitDebit: async () => ((submissions += 1), { result: 'unknown' }) }),
      { sessionId },
      now + 30_000,
    );
    expect(submissions, 'the look-up found it').toBe(0);
    expect(await current()).toMatchObject({ debit: { submittedAt: '2026-11-20T10:00:00.000Z' } });
    expect(tickets).toHaveLength(1);
    await advancePayment(tools, { sessionId }, now + 60_000);
    expect(tickets).toHaveLength(1);
  });

  it('may be recorded after the settlement, and then adds only the debit', async () => {
    const { sessionId, current, tools, processor } = await aPayment('user_good');
    const racing = instead(processor, {
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
});
