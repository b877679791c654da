import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { day, second } from '../../functions/domain/time.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import { advancePayment } from '../../functions/payments/submit.ts';
import type { DebitVoider } from '../../functions/processors/processor.ts';
import { cancelSessionOnce } from '../../functions/sessions/cancel.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { expireAt, getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { aPayment, delay, now } from '../payments/a-payment.ts';
import { aPractice } from '../practices/a-practice.ts';
import { problemOf } from '../support/problems.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;
const answering = (result: 'voided' | 'too_late' | 'unknown'): DebitVoider => ({ voidDebit: async () => ({ result }) });

function cancelling(idempotencyKey: string, processor = answering('voided')) {
  return async (sessionId: string, at = now) => {
    const session = await getExistingSession(database, sessionId);
    return cancelSessionOnce({ database, processor }, { session, idempotencyKey }, at);
  };
}
const pending = async () => (await storeSession(database, {}, now)).sessionId;
const processing = async () => (await aPayment(database, 'user_stuck')).sessionId;
const reused = { code: 'idempotency_key_reused' };

describe.each([
  ['pending', pending],
  ['processing', processing],
])('cancelling a %s session', (_, newSession) => {
  it('is replayed for a day to the same key', async () => {
    const [sessionId, key] = [await newSession(), randomUUID()];
    const first = await cancelling(key)(sessionId);
    expect(first).toMatchObject({ response: { sessionId, status: 'cancelled' }, replayed: false });
    const again = { ...first, replayed: true };
    expect(await cancelling(key)(sessionId, now + second)).toEqual(again);
    expect(await cancelling(key)(sessionId, now + day - 1)).toEqual(again);
    expect(await problemOf(cancelling(key)(sessionId, now + day))).toMatchObject({ code: 'session_not_cancellable' });
  });

  it('is not replayed to another key or to none', async () => {
    const sessionId = await newSession();
    await cancelling(randomUUID())(sessionId);
    expect(await problemOf(cancelling(randomUUID())(sessionId))).toMatchObject({ code: 'session_not_cancellable' });
    const session = await getExistingSession(database, sessionId);
    const withoutKey = cancelSessionOnce(
      { database, processor: answering('voided') },
      { session, idempotencyKey: undefined },
      now,
    );
    expect(await problemOf(withoutKey)).toMatchObject({ code: 'session_not_cancellable' });
  });

  it('is not replayed if no request had a key', async () => {
    const session = await getExistingSession(database, await newSession());
    const cancel = () =>
      cancelSessionOnce({ database, processor: answering('voided') }, { session, idempotencyKey: undefined }, now);
    expect(await cancel()).toMatchObject({ response: { status: 'cancelled' }, replayed: false });
    expect(await problemOf(cancel())).toMatchObject({ code: 'session_not_cancellable' });
  });

  it("changes nothing with another request's key, and does not ask the bank", async () => {
    const [sessionId, key] = [await newSession(), randomUUID()];
    await cancelling(key)(await pending());
    const before = await getExistingSession(database, sessionId);
    const unasked: DebitVoider = { voidDebit: () => expect.fail('the bank was asked') };
    expect(await problemOf(cancelling(key, unasked)(sessionId))).toMatchObject(reused);
    expect(await getExistingSession(database, sessionId)).toEqual(before);
  });

  it('gives 20 concurrent requests the same response', async () => {
    const [sessionId, key] = [await newSession(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancelling(key)(sessionId)));
    expect(new Set(answers.map(({ response }) => JSON.stringify(response))).size).toBe(1);
    expect(await getExistingSession(database, sessionId)).toMatchObject({ status: 'cancelled' });
  });

  it('cancels one of two sessions that use the same key', async () => {
    const [first, second, key] = [await newSession(), await newSession(), randomUUID()];
    const answers = await Promise.allSettled([first, second].map((sessionId) => cancelling(key)(sessionId)));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const loser = answers.findIndex(({ status }) => status === 'rejected');
    expect(answers[loser]).toMatchObject({ reason: reused });
    expect((await getExistingSession(database, [first, second][loser] ?? '')).status).not.toBe('cancelled');
  });
});

it('a session that expires during its cancellation is not reported as waiting for the bank', async () => {
  const session = await getExistingSession(database, await pending());
  await expireAt(database, session.sessionId, now);
  const tools = { database, processor: answering('voided') };
  const refused = problemOf(cancelSessionOnce(tools, { session, idempotencyKey: randomUUID() }, now));
  expect(await refused).toMatchObject({ code: 'session_not_cancellable', extra: { sessionStatus: 'cancelled' } });
});

describe('a key', () => {
  it('is shared with the creation of sessions', async () => {
    const { practiceId } = await aPractice(tables);
    const tools = { database, randomBytes, mode: 'sandbox', hostedPageUrl: 'https://pay.example.com' } as const;
    const create = (idempotencyKey: string) =>
      createSession(
        tools,
        {
          practiceId,
          body: { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } },
          idempotencyKey,
        },
        now,
      );
    const { sessionId } = (await create('created')).response;
    expect(await problemOf(cancelling('created')(sessionId))).toMatchObject(reused);
    await cancelling('cancelled')(sessionId);
    expect(await problemOf(create('cancelled'))).toMatchObject(reused);
    expect(await problemOf(cancelling('created')(sessionId)), 'also once it is closed').toMatchObject(reused);
  });

  it('is unused after a refusal', async () => {
    const key = randomUUID();
    const paid = await aPayment(database, 'user_good');
    expect(await problemOf(cancelling(key, answering('too_late'))(paid.sessionId))).toMatchObject({
      code: 'payment_not_voidable',
    });
    await advancePayment(paid.tools, paid, now);
    await settlePayment(paid.tools, paid, now + delay);
    expect(await problemOf(cancelling(key)(paid.sessionId))).toMatchObject({ code: 'session_not_cancellable' });
    expect(await cancelling(key)(await pending())).toMatchObject({ replayed: false });
  });

  it('stays with a cancellation of unknown outcome, and gets its response once the sweep has finished it', async () => {
    const key = randomUUID();
    const { sessionId, tools, current } = await aPayment(database, 'user_stuck');
    expect(await problemOf(cancelling(key, answering('unknown'))(sessionId))).toMatchObject({
      code: 'cancellation_pending',
    });
    expect(await problemOf(cancelling(key)(await pending()))).toMatchObject(reused);
    await advancePayment(tools, { sessionId }, now + 120 * second);
    const { cancelledAt } = await current();
    expect(await cancelling(key)(sessionId, now + 180 * second)).toEqual({
      response: { sessionId, status: 'cancelled', cancelledAt },
      replayed: true,
    });
  });

  it('of a cancellation of unknown outcome is unused again once its retry is refused', async () => {
    const key = randomUUID();
    const { sessionId } = await aPayment(database, 'user_sent');
    await problemOf(cancelling(key, answering('unknown'))(sessionId));
    expect(await problemOf(cancelling(key, answering('too_late'))(sessionId))).toMatchObject({
      code: 'payment_not_voidable',
    });
    expect(await cancelling(key)(await pending())).toMatchObject({ replayed: false });
  });

  it('is unused again if the payment succeeds after all', async () => {
    const key = randomUUID();
    const { sessionId, tools } = await aPayment(database, 'user_good');
    await advancePayment(tools, { sessionId }, now);
    await problemOf(cancelling(key, answering('unknown'))(sessionId));
    await settlePayment(tools, { sessionId }, now + delay);
    expect(await problemOf(cancelling(key)(sessionId))).toMatchObject({ code: 'session_not_cancellable' });
    expect(await cancelling(key)(await pending())).toMatchObject({ replayed: false });
  });
});
