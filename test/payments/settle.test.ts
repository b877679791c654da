import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { claimInvoice, getClaimingSessionId } from '../../functions/store/payments/invoice-claims.ts';
import { transact } from '../../functions/store/transact.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import type { DebitProcessor } from '../../functions/processors/processor.ts';
import { requestCancellation } from '../../functions/store/sessions/cancellations.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import {
  getSession,
  oldestOpenCancellation,
  oldestUnsubmittedDebit,
  rescheduleDebit,
} from '../../functions/store/sessions/sessions.ts';
import { writeCancellation } from '../../functions/store/sessions/transitions.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { aroundEachCall, beforeEachCall, countRequests } from '../support/answered-client.ts';
import { measuredBy } from '../support/logged.ts';
import type { RefundTotals } from '../../functions/domain/payments/refund.ts';
import type { DebitState } from '../../functions/domain/payments/debit.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T10:00:00.000Z');
const started = '2026-11-20T09:00:00.000Z';

const processing = { status: 'processing', sequence: 1, processingAt: started } as const;
const stored = (differences: Partial<Session> = {}) =>
  storeSession(tables.database, { ...processing, processorAccount: 'account', ...differences }, now);

function telling(state: DebitState, refundedCents?: number, more: Partial<RefundTotals> = {}) {
  const acknowledged: string[] = [];
  const unasked = () => Promise.reject(new Error('unexpected call'));
  const processor: DebitProcessor = {
    submitDebit: unasked,
    voidDebit: unasked,
    refundDebit: unasked,
    findDebit: async () => ({
      debitId: 'debit_1',
      submittedAt: started,
      state,
      ...(refundedCents !== undefined && {
        refunds: { amountCents: refundedCents, status: 'succeeded', ...more } as const,
      }),
    }),
    acknowledge: async (sessionId) => void acknowledged.push(sessionId),
  };
  return { acknowledged, tools: { database: tables.database, processor } };
}

const row = async (sessionId: string) =>
  (
    await tables.database.documents.send(
      new GetCommand({ TableName: tables.database.tables.sessions, Key: { sessionId } }),
    )
  ).Item;

const succeeded: DebitState = { state: 'succeeded', at: started };
const returned: DebitState = {
  state: 'returned',
  at: started,
  return: { code: 'insufficient_funds', achReturnCode: 'R01' },
};
const failure = { code: 'insufficient_funds', message: 'There was not enough money.' } as const;

describe('money for a session that ended without it', () => {
  it.each([
    ['a success', succeeded, 'cancelled', { cancelledAt: started, cancellation: { reason: 'requested_by_practice' } }],
    ['a success', succeeded, 'failed', { failedAt: started, failure }],
  ] as const)('%s is reported to the operator and changes nothing', async (_, state, status, facts) => {
    const { sessionId } = await stored({ status, ...facts });
    const before = await row(sessionId);
    const { acknowledged, tools } = telling(state);
    expect(await settlePayment(tools, { sessionId }, now)).toMatchObject({ result: 'money_for_cancelled_session' });
    expect(await row(sessionId)).toEqual(before);
    expect(await getEvent(tables.database, sessionEventId(sessionId, 2))).toBeUndefined();
    expect(acknowledged, 'the processor stops reporting it').toEqual([sessionId]);
  });

  it('is not reported again once the operator has refunded it, but is if a part is missing or the refund fails', async () => {
    const { sessionId } = await stored({
      status: 'cancelled',
      cancelledAt: started,
      cancellation: { reason: 'requested_by_practice' },
    });
    for (const [refundedCents, result] of [
      [18_249, 'money_for_cancelled_session'],
      [18_250, 'agreed'],
      [0, 'money_for_cancelled_session'],
    ] as const)
      expect(await settlePayment(telling(succeeded, refundedCents).tools, { sessionId }, now)).toMatchObject({
        result,
        changed: false,
      });
    expect(await getSession(tables.database, sessionId)).toMatchObject({ status: 'cancelled', sequence: 1 });
    expect(await getSession(tables.database, sessionId)).not.toHaveProperty('refund');
  });

  it.each([1000, 18_250])(
    'is reported if the bank returns it after a refund of %i cents: the patient has these twice',
    async (refundedCents) => {
      const { sessionId } = await stored({
        status: 'cancelled',
        cancelledAt: started,
        cancellation: { reason: 'requested_by_practice' },
      });
      expect(await settlePayment(telling(returned, refundedCents).tools, { sessionId }, now)).toMatchObject({
        result: 'money_for_cancelled_session',
        changed: false,
      });
    },
  );

  it('is noticed even if the session is cancelled between our read and our write', async () => {
    const session = await stored();
    let reads = 0;
    const database = aroundEachCall(tables.database, async ({ operation }, perform) => {
      const answer = await perform();
      if (operation === 'GetItem' && (reads += 1) === 1) await writeCancellation(tables.database, session, now);
      return answer;
    });
    const { tools } = telling(succeeded);
    expect(await settlePayment({ ...tools, database }, { sessionId: session.sessionId }, now)).toMatchObject({
      result: 'money_for_cancelled_session',
    });
    expect(await getSession(tables.database, session.sessionId)).toMatchObject({ status: 'cancelled', sequence: 2 });
  });

  it('is not reported if no money moved, or if the session was paid', async () => {
    const cancelled = await stored({
      status: 'cancelled',
      cancelledAt: started,
      cancellation: { reason: 'requested_by_practice' },
    });
    expect(
      await settlePayment(telling({ state: 'voided' }).tools, { sessionId: cancelled.sessionId }, now),
    ).toMatchObject({
      result: 'agreed',
    });
    expect(
      await settlePayment(
        telling({ state: 'failed', at: started, failure }).tools,
        { sessionId: cancelled.sessionId },
        now,
      ),
    ).toMatchObject({ result: 'agreed' });
    expect(
      await settlePayment(telling(returned).tools, { sessionId: cancelled.sessionId }, now),
      'the patient has the money back',
    ).toMatchObject({ result: 'agreed', changed: false });
    const paying = await stored();
    expect(await settlePayment(telling(succeeded).tools, { sessionId: paying.sessionId }, now)).toMatchObject({
      result: 'agreed',
    });
    expect(await settlePayment(telling(succeeded).tools, { sessionId: paying.sessionId }, now)).toMatchObject({
      result: 'agreed',
    });
    expect(await settlePayment(telling(returned).tools, { sessionId: paying.sessionId }, now)).toMatchObject({
      result: 'agreed',
    });
    expect(await getSession(tables.database, paying.sessionId)).toMatchObject({
      status: 'succeeded',
      return: { achReturnCode: 'R01' },
    });
  });
});

describe('a debit that was cancelled at the processor', () => {
  it('cancels the session if the practice asked for it', async () => {
    const { sessionId } = await stored({ cancelRequestedAt: started });
    await settlePayment(telling({ state: 'voided' }).tools, { sessionId }, now);
    expect(await getSession(tables.database, sessionId)).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'requested_by_practice' },
    });
    expect(await getEvent(tables.database, sessionEventId(sessionId, 2))).toMatchObject({
      type: 'session.payment.cancelled',
    });
  });

  it('fails the session if the practice did not ask for it', async () => {
    const { sessionId } = await stored();
    await settlePayment(telling({ state: 'voided' }).tools, { sessionId }, now);
    expect(await getSession(tables.database, sessionId)).toMatchObject({
      status: 'failed',
      failure: { code: 'processor_error' },
    });
  });
});

describe('the outcome of a debit', () => {
  it('that the processor does not know, or that is still pending, changes nothing', async () => {
    const { sessionId } = await stored();
    const before = await row(sessionId);
    const { tools } = telling({ state: 'pending' });
    const unknown = { ...tools, processor: { ...tools.processor, findDebit: async () => undefined } };
    expect(await settlePayment(unknown, { sessionId }, now)).toEqual({ result: 'no_debit', changed: false });
    expect(await settlePayment(tools, { sessionId }, now)).toMatchObject({ result: 'agreed', changed: false });
    expect(await row(sessionId)).toEqual(before);
  });

  it('settles the session once, and adds the debit if the submission did not record it', async () => {
    const { sessionId } = await stored();
    const settle = () => settlePayment(telling(succeeded).tools, { sessionId }, now);
    expect([(await settle()).changed, (await settle()).changed]).toEqual([true, false]);
    expect(await getSession(tables.database, sessionId)).toMatchObject({
      status: 'succeeded',
      sequence: 2,
      debit: { debitId: 'debit_1', submittedAt: started },
    });
  });

  it('leaves the debit that the submission recorded', async () => {
    const debit = { debitId: 'debit_0', submittedAt: started };
    const { sessionId } = await stored({ debit });
    await settlePayment(telling(succeeded).tools, { sessionId }, now);
    expect(await getSession(tables.database, sessionId)).toMatchObject({ status: 'succeeded', debit });
  });

  it("fails the session with the bank's reason", async () => {
    const { sessionId } = await stored();
    const { tools } = telling({ state: 'failed', at: started, failure });
    expect(await settlePayment(tools, { sessionId }, now)).toMatchObject({ result: 'agreed', changed: true });
    expect(await getSession(tables.database, sessionId)).toMatchObject({ status: 'failed', failure });
  });
});

describe('an outcome that contradicts the session', () => {
  it.each([
    ['a failure', { state: 'failed', at: started, failure }],
    ['a void', { state: 'voided' }],
  ] as const)('such as %s after a success changes nothing', async (_, state) => {
    const { sessionId } = await stored({ status: 'succeeded', settledAt: started });
    const before = await row(sessionId);
    const { acknowledged, tools } = telling(state);
    expect(await settlePayment(tools, { sessionId }, now)).toMatchObject({ result: 'illegal_transition' });
    expect(await row(sessionId)).toEqual(before);
    expect(acknowledged).toEqual([sessionId]);
  });
});

describe('a success after a return', () => {
  it('is reported to the operator, and its refund is not news to the practice', async () => {
    const facts = { settledAt: started, return: { code: 'insufficient_funds', returnedAt: started } } as const;
    const { sessionId } = await stored({ status: 'succeeded', ...facts });
    expect(await settlePayment(telling(succeeded, 5000).tools, { sessionId }, now)).toMatchObject({
      result: 'illegal_transition',
      changed: false,
    });
  });
});

describe('a refund at the processor', () => {
  it('changes the session each time that its amount changes', async () => {
    const { sessionId } = await stored({ status: 'succeeded', settledAt: started });
    const changes: boolean[] = [];
    for (const cents of [0, 5000, 5000, 0])
      changes.push((await settlePayment(telling(succeeded, cents).tools, { sessionId }, now)).changed);
    expect(changes).toEqual([false, true, false, true]);
  });

  it('is recorded with its latest amount, and the session stays paid', async () => {
    const { sessionId } = await stored();
    const refundOf = async (cents: number, at: number) => {
      await settlePayment(telling(succeeded, cents).tools, { sessionId }, at);
      return getSession(tables.database, sessionId);
    };
    expect(await refundOf(0, now)).not.toHaveProperty('refund');
    expect(await refundOf(5000, now + 1000)).toMatchObject({
      status: 'succeeded',
      refund: { amountCents: 5000, refundedAt: '2026-11-20T10:00:01.000Z' },
    });
    expect((await refundOf(5000, now + 2000))?.refund).toEqual({
      amountCents: 5000,
      status: 'succeeded',
      refundedAt: '2026-11-20T10:00:01.000Z',
    });
    expect((await refundOf(18_250, now + 3000))?.refund).toMatchObject({ amountCents: 18_250 });
    const failed = await refundOf(0, now + 4000);
    expect(failed).not.toHaveProperty('refund');
    expect(failed).toMatchObject({ status: 'succeeded', sequence: 4 });
    expect(failed).not.toHaveProperty('return');
  });

  it('is reported once it has arrived or failed, and not while it is on its way', async () => {
    const { sessionId } = await stored({ status: 'succeeded', settledAt: started });
    const typesAfter = async (cents: number, more: Partial<RefundTotals>, at: number) => {
      await settlePayment(telling(succeeded, cents, more).tools, { sessionId }, at);
      const { sequence = 0 } = (await getSession(tables.database, sessionId)) ?? {};
      const events = await Promise.all(
        Array.from({ length: sequence - 1 }, (_, index) =>
          getEvent(tables.database, sessionEventId(sessionId, index + 2)),
        ),
      );
      return events.map((event) => event?.type);
    };
    expect(await typesAfter(5000, { status: 'pending', pendingCents: 5000 }, now)).toEqual([]);
    const failed = ['session.payment.refund_failed'];
    expect(await typesAfter(0, { status: 'failed', failedCents: 5000 }, now + 1000)).toEqual(failed);
    const again = { status: 'pending', pendingCents: 4000, failedCents: 5000 } as const;
    expect(await typesAfter(4000, again, now + 2000)).toEqual(failed);
    // Two refunds end between two look-ups: one arrives, one fails.
    const told = [...failed, 'session.payment.refunded', 'session.payment.refund_failed'];
    expect(await typesAfter(3000, { status: 'failed', failedCents: 6000 }, now + 3000)).toEqual(told);
    expect(await typesAfter(3000, { status: 'failed', failedCents: 6000 }, now + 4000)).toEqual(told);
    const last = await getEvent(tables.database, sessionEventId(sessionId, 4));
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      data: { status: 'succeeded', refund: { amountCents: 3000, failedCents: 6000 } },
    });
  });

  it('and a return of the same debit raise an alarm, and the event of the return says what was refunded', async () => {
    const { sessionId } = await stored();
    await settlePayment(telling(returned, 18_250).tools, { sessionId }, now);
    expect(await getSession(tables.database, sessionId)).toMatchObject({ refund: { amountCents: 18_250 }, return: {} });
    const event = await getEvent(tables.database, sessionEventId(sessionId, 4));
    expect(event?.type).toBe('session.payment.returned');
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      data: { refund: { amountCents: 18_250, status: 'succeeded' } },
    });
  });
});

describe('the invoice of a payment that was refunded in full', () => {
  const whole = 18_250;
  const claimed = async (sessionId: string) => getClaimingSessionId(tables.database, { ...(await session(sessionId)) });
  const session = (sessionId: string) => getExistingSession(tables.database, sessionId);

  async function aPaidInvoice() {
    const { sessionId } = await stored({
      status: 'succeeded',
      settledAt: started,
      claimsInvoice: true,
      invoiceId: `INV-${randomBytes(6).toString('hex')}`,
    });
    await transact(tables.database, { claim: claimInvoice(tables.database, await session(sessionId)) });
    const told = (cents: number, more: Partial<RefundTotals> = {}) =>
      settlePayment(telling(succeeded, cents, more).tools, { sessionId }, now);
    return { sessionId, told };
  }

  it('can be paid again only once the refund has arrived', async () => {
    const { sessionId, told } = await aPaidInvoice();
    await told(whole, { status: 'pending', pendingCents: whole });
    expect(await claimed(sessionId)).toBe(sessionId);
    await told(whole - 1);
    expect(await claimed(sessionId)).toBe(sessionId);
    await told(whole);
    expect(await claimed(sessionId)).toBeUndefined();
  });

  it('is claimed again if the refund fails after all', async () => {
    const { sessionId, told } = await aPaidInvoice();
    await told(whole);
    await told(0, { status: 'failed', failedCents: whole });
    expect(await claimed(sessionId)).toBe(sessionId);
    expect(await session(sessionId)).toMatchObject({ claimsInvoice: true });
  });

  it('stays with another session that has claimed it since', async () => {
    const { sessionId, told } = await aPaidInvoice();
    await told(whole);
    const { invoiceId, practiceId } = await session(sessionId);
    await transact(tables.database, {
      claim: claimInvoice(tables.database, { invoiceId, practiceId, sessionId: 'ses_other' }),
    });
    await told(0, { status: 'failed', failedCents: whole });
    expect(await claimed(sessionId)).toBe('ses_other');
    expect(await session(sessionId)).toMatchObject({
      claimsInvoice: false,
      refund: { failedCents: whole },
      sequence: 3,
    });
  });
});

describe('two refunds that are looked up at once', () => {
  const arrived = (cents: number): RefundTotals => ({ amountCents: cents, status: 'succeeded' });
  const onTheirWay = (cents: number): RefundTotals => ({ amountCents: cents, pendingCents: cents, status: 'pending' });

  it.each([
    ['have arrived', arrived],
    ['are on their way', onTheirWay],
  ])('end with the newer amount if they %s, even if the older one is recorded last', async (_, refundsOf) => {
    const { sessionId } = await stored({ status: 'succeeded', settledAt: started });
    const { processor } = telling(succeeded, 5000, refundsOf(5000)).tools;
    const newer = telling(succeeded, 9000, refundsOf(9000)).tools;
    let lookUps = 0;
    const findDebit: typeof processor.findDebit = async (...given) => {
      lookUps += 1;
      if (lookUps > 1) return newer.processor.findDebit(...given);
      const found = await processor.findDebit(...given);
      await settlePayment(newer, { sessionId }, now + 1000);
      return found;
    };
    const tools = { database: tables.database, processor: { ...processor, findDebit } };
    await settlePayment(tools, { sessionId }, now + 2000);
    expect(await getSession(tables.database, sessionId)).toMatchObject({ refund: refundsOf(9000) });
  });
});

const byPractice = { cancelledAt: started, cancellation: { reason: 'requested_by_practice' } } as const;
const debit = { debitId: 'debit_1', submittedAt: started };
const failed: DebitState = { state: 'failed', at: started, failure };
const paid = { status: 'succeeded', settledAt: started } as const;
const wasReturned = { ...paid, return: { code: 'insufficient_funds', returnedAt: started } } as const;

describe('a look-up that finds what the session says', () => {
  it.each<[string, DebitState, Partial<Session>]>([
    ['a debit that the bank still has', { state: 'pending' }, {}],
    ['a debit that the bank still has, after its success', { state: 'pending' }, paid],
    ['a success', succeeded, paid],
    ['a return', returned, wasReturned],
    ['a failure', failed, { status: 'failed', failedAt: started, failure }],
    ['a void', { state: 'voided' }, { status: 'cancelled', ...byPractice }],
    ['a return to a patient whose payment was cancelled', returned, { status: 'cancelled', ...byPractice }],
  ])('such as %s, agrees and costs one read', async (_, state, facts) => {
    const { sessionId } = await stored({ debit, ...facts });
    const { database, requests } = countRequests(tables.database);
    const agreed = { result: 'agreed', changed: false };
    expect(await settlePayment({ ...telling(state).tools, database }, { sessionId }, now)).toMatchObject(agreed);
    expect(requests()).toEqual({ sessions: 1 });
  });
});

describe('an alarm', () => {
  const alarms = ['MoneyForCancelledSession', 'IllegalTransitions', 'ReturnedAfterRefund', 'FailedRefunds'] as const;
  const failedRefund = { status: 'failed', failedCents: 5000 } as const;

  it.each<[string, DebitState, number, Partial<RefundTotals>, Partial<Session>, string[][]]>([
    [
      'by money for a cancelled session, each time',
      succeeded,
      0,
      {},
      { status: 'cancelled', ...byPractice },
      [['MoneyForCancelledSession'], ['MoneyForCancelledSession']],
    ],
    ['by a failure after a success, each time', failed, 0, {}, paid, [['IllegalTransitions'], ['IllegalTransitions']]],
    ['by a return after a refund, once', returned, 5000, {}, paid, [['ReturnedAfterRefund'], []]],
    ['by a failed refund, once', succeeded, 0, failedRefund, paid, [['FailedRefunds'], []]],
    [
      'by no return after a refund that failed',
      returned,
      0,
      failedRefund,
      { ...paid, refund: { amountCents: 0, ...failedRefund, refundedAt: started } },
      [[]],
    ],
    ['by no refund that arrives', succeeded, 5000, {}, paid, [[]]],
  ])('is raised %s', async (_, state, cents, more, facts, raised) => {
    const { sessionId } = await stored(facts);
    for (const expected of raised)
      expect(
        await measuredBy(alarms, () => settlePayment(telling(state, cents, more).tools, { sessionId }, now)),
      ).toEqual(expected);
  });

  it('is raised once by a return after a refund that two look-ups find at once', async () => {
    const refund = { amountCents: 5000, status: 'succeeded', refundedAt: started } as const;
    const { sessionId } = await stored({ ...paid, refund });
    const { tools } = telling(returned, 5000);
    let other: Promise<unknown> | undefined;
    const database = beforeEachCall(tables.database, async ({ operation }) => {
      if (operation === 'TransactWriteItems') await (other ??= settlePayment(tools, { sessionId }, now));
    });
    const raised = await measuredBy(alarms, () => settlePayment({ ...tools, database }, { sessionId }, now));
    expect(raised).toEqual(['ReturnedAfterRefund']);
    expect(await getSession(tables.database, sessionId)).toMatchObject({ return: {}, sequence: 2 });
  });
});

describe('work that waits for the processor', () => {
  it('is measured by its oldest debit, even one that was rescheduled, and its oldest cancellation', async () => {
    expect(await oldestUnsubmittedDebit(tables.database)).toBeUndefined();
    expect(await oldestOpenCancellation(tables.database)).toBeUndefined();
    for (const processingAt of ['2026-11-20T08:30:00.000Z', '2026-11-20T07:15:00.000Z', '2026-11-20T09:45:00.000Z']) {
      const { sessionId } = await stored({ processingAt });
      await rescheduleDebit(tables.database, sessionId, now + 3_600_000);
    }
    expect(await oldestUnsubmittedDebit(tables.database)).toBe('2026-11-20T07:15:00.000Z');

    const waiting = await stored({ processingAt: '2026-11-20T06:00:00.000Z' });
    await requestCancellation(tables.database, waiting.sessionId, now);
    expect(await oldestOpenCancellation(tables.database)).toBe('2026-11-20T10:00:00.000Z');
    expect(await oldestUnsubmittedDebit(tables.database), 'a cancellation is not a debit to submit').toBe(
      '2026-11-20T07:15:00.000Z',
    );
  });
});
