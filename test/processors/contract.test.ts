import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { outcomeDelay, sandboxBank } from '../payments/banks.ts';
import { startService } from '../payments/service.ts';
import { stripeBank } from '../payments/stripe-bank.ts';
import { startStripe } from '../support/stripe.ts';
import { startTestTables } from '../support/tables.ts';

const stripe = await startStripe();
afterAll(async () => {
  const { problems } = await stripe.control.read();
  await stripe.stop();
  expect(problems, 'requests that Stripe would refuse').toEqual([]);
});
const [sandboxTables, liveTables] = [await startTestTables(), await startTestTables('live')];
const processors = {
  'the sandbox': { database: sandboxTables.database, bank: sandboxBank },
  'Stripe, direct charges': { database: liveTables.database, bank: await stripeBank(stripe) },
  'Stripe, destination charges': {
    database: liveTables.database,
    bank: await stripeBank(stripe, { chargeType: 'destination' }),
  },
};

const start = Date.parse('2026-11-20T10:00:00.000Z');
const settled = start + outcomeDelay;
const returned = start + 2 * outcomeDelay;

describe.each(Object.entries(processors))('%s', (_, { database, bank }) => {
  const service = startService({ database, bank });
  service.clock.now = start;

  async function anInvoice(): Promise<string> {
    return service.create(`INV-${randomBytes(8).toString('hex')}`);
  }

  async function anOrder(user: SandboxUser) {
    const sessionId = await anInvoice();
    await service.connectBank(sessionId, user);
    await service.authorize(sessionId);
    const { practiceId, amountCents, processorAccount = '' } = await service.session(sessionId);
    return { sessionId, practiceId, amountCents, processorAccount };
  }

  const { submitDebit, voidDebit, findDebit, refundDebit, acknowledge } = service.processor;
  const stateAt = async (sessionId: string, now: number) => (await findDebit(sessionId, now))?.state;

  it('connects a bank and returns its name and the last four digits', async () => {
    const sessionId = await anInvoice();
    expect(await service.connectBank(sessionId, 'user_good')).toBe(true);
    expect(await service.session(sessionId)).toMatchObject({
      bankAccount: {
        bankName: expect.stringMatching(/Bank$/),
        accountType: 'checking',
        last4: expect.stringMatching(/^\d{4}$/),
      },
      bankConnectionAttempts: 0,
    });
  });

  it('counts a bank that was not connected as an attempt, but not a bank that is down', async () => {
    const sessionId = await anInvoice();
    expect(await service.connectBank(sessionId, 'user_bad')).toBe(false);
    await service.connectBank(sessionId, 'user_bank_down');
    const session = await service.session(sessionId);
    expect(session).toMatchObject({ bankConnectionAttempts: 1 });
    expect(session).not.toHaveProperty('bankAccount');
  });

  it('submits one debit, however often it is called', async () => {
    const order = await anOrder('user_good');
    const first = await submitDebit(order, start);
    expect(first).toEqual({
      result: 'submitted',
      debitId: expect.any(String),
      submittedAt: '2026-11-20T10:00:00.000Z',
    });
    expect(await submitDebit(order, start + 1000)).toEqual(first);
    const { result, ...debit } = await findDebit(order.sessionId, start).then((found) => ({
      result: 'submitted',
      ...found,
    }));
    expect(first).toMatchObject({ result, debitId: debit.debitId, submittedAt: debit.submittedAt });
    expect(debit.state).toEqual({ state: 'pending' });
  });

  it('returns the references by which a bank can find a submitted debit', async () => {
    const { sessionId, processorAccount, ...order } = await anOrder('user_good');
    const submitted = await submitDebit({ sessionId, processorAccount, ...order }, start);
    const debitId = 'debitId' in submitted ? submitted.debitId : expect.fail('not submitted');
    const references = await bank.references.findReferences({ debitId, processorAccount });
    expect(references).toMatchObject({
      mandate: expect.stringMatching(/^mandate_/) as string,
      routingNumberLast4: expect.stringMatching(/^\d{4}$/) as string,
    });
  });

  it('submits one debit for many requests at once', async () => {
    const order = await anOrder('user_good');
    const submissions = await Promise.all(Array.from({ length: 4 }, () => submitDebit(order, start)));
    const known = submissions.filter(({ result }) => result !== 'unknown');
    const debit = await findDebit(order.sessionId, start);
    expect(known.length).toBeGreaterThan(0);
    for (const submission of known) expect(submission).toMatchObject({ result: 'submitted', debitId: debit?.debitId });
  });

  it('finds no debit that was not submitted', async () => {
    expect(await findDebit((await anOrder('user_good')).sessionId, start)).toBeUndefined();
  });

  it.each(['user_good', 'user_stuck'] as const)('prevents a debit that is voided first (%s)', async (user) => {
    const order = await anOrder(user);
    expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
    expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
    expect(await submitDebit(order, start)).toEqual({ result: 'voided' });
    expect(await findDebit(order.sessionId, returned)).toBeUndefined();
  });

  it('voids a debit that the bank has not decided, for good', async () => {
    const order = await anOrder('user_good');
    await submitDebit(order, start);
    expect(await voidDebit(order, settled - 1)).toEqual({ result: 'voided' });
    expect(await voidDebit(order, settled + 1)).toEqual({ result: 'voided' });
    expect(await submitDebit(order, settled + 1)).toEqual({ result: 'voided' });
    expect(await stateAt(order.sessionId, returned)).toEqual({ state: 'voided' });
  });

  it('voids or submits if both are asked at once, and both answers agree', async () => {
    for (let round = 0; round < 5; round += 1) {
      const order = await anOrder('user_good');
      const [submission, voiding] = await Promise.all([submitDebit(order, start), voidDebit(order, start)]);
      expect(['submitted', 'voided', 'unknown']).toContain(submission.result);
      expect(voiding).toEqual({ result: 'voided' });
      expect((await stateAt(order.sessionId, returned))?.state ?? 'voided').toBe('voided');
      expect(await submitDebit(order, start)).toEqual({ result: 'voided' });
    }
  });

  it('cannot void what the bank has', async () => {
    const order = await anOrder('user_sent');
    await submitDebit(order, start);
    expect(await voidDebit(order, start)).toEqual({ result: 'too_late' });
    expect(await stateAt(order.sessionId, start)).toEqual({ state: 'pending' });
  });

  it.each(['user_good', 'user_insufficient_funds'] as const)(
    'cannot void what the bank has decided (%s)',
    async (user) => {
      const order = await anOrder(user);
      await submitDebit(order, start);
      expect(await voidDebit(order, settled)).toEqual({ result: 'too_late' });
      expect(await voidDebit(order, settled)).toEqual({ result: 'too_late' });
      const state = await stateAt(order.sessionId, settled);
      expect(state?.state).toBe(user === 'user_good' ? 'succeeded' : 'failed');
    },
  );

  it.each([
    ['user_insufficient_funds', { code: 'insufficient_funds', achReturnCode: 'R01' }],
    ['user_account_closed', { code: 'account_closed', achReturnCode: 'R02' }],
  ] as const)('tells why the bank refused (%s)', async (user, failure) => {
    const order = await anOrder(user);
    await submitDebit(order, start);
    expect(await stateAt(order.sessionId, settled - 1)).toEqual({ state: 'pending' });
    expect(await stateAt(order.sessionId, settled)).toMatchObject({ state: 'failed', failure });
  });

  it('refuses an account that cannot be debited, and never debits it', async () => {
    const order = await anOrder('user_processor_error');
    const refused = await submitDebit(order, start);
    expect(refused).toMatchObject({ result: 'refused', failure: { message: expect.any(String) } });
    expect(await submitDebit(order, start)).toEqual(refused);
    expect(await findDebit(order.sessionId, returned)).toBeUndefined();
    expect(await bank.pendingDebit(database, order.sessionId)).toBeUndefined();
  });

  it('reports a success and a late return', async () => {
    const order = await anOrder('user_late_return');
    await submitDebit(order, start);
    expect(await stateAt(order.sessionId, settled)).toMatchObject({ state: 'succeeded' });
    expect(await stateAt(order.sessionId, returned)).toMatchObject({
      state: 'returned',
      return: { code: 'insufficient_funds' },
    });
  });

  it('announces each outcome until it is acknowledged', async () => {
    const order = await anOrder('user_late_return');
    await submitDebit(order, start);
    const due = async () => (await bank.debitOf(database, order.sessionId))?.dueAt;
    expect(await due()).toBe('2026-11-20T10:00:03.000Z');
    const first = await stateAt(order.sessionId, settled);
    if (first) await acknowledge(order.sessionId, first, settled);
    expect(await due()).toBe('2026-11-20T10:00:06.000Z');
    const second = await stateAt(order.sessionId, returned);
    if (second) await acknowledge(order.sessionId, second, returned);
    expect(await due()).toBeUndefined();
  });

  async function aSettledDebit(user: SandboxUser = 'user_good') {
    const order = await anOrder(user);
    await submitDebit(order, start);
    const refund = (
      amountCents: number,
      { refundId = randomUUID(), at = settled }: { refundId?: string; at?: number } = {},
    ) => refundDebit({ ...order, refundId, amountCents }, at);
    const refundsAt = async (now: number) => (await findDebit(order.sessionId, now))?.refunds;
    await findDebit(order.sessionId, settled);
    return { ...order, refund, refundsAt };
  }

  it('refunds once per ID: pending at first, then given back', async () => {
    const { refund, refundsAt } = await aSettledDebit();
    expect(await refundsAt(settled)).toBeUndefined();
    const refundId = randomUUID();
    expect(await refund(5000, { refundId })).toEqual({ result: 'accepted', isRepeated: false });
    expect(await refund(5000, { refundId, at: settled + 1 })).toEqual({ result: 'accepted', isRepeated: true });
    expect(await refundsAt(settled + 1)).toEqual({ amountCents: 5000, pendingCents: 5000, status: 'pending' });
    expect(await refundsAt(settled + outcomeDelay)).toEqual({ amountCents: 5000, status: 'succeeded' });
    await refund(200, { at: settled + outcomeDelay });
    expect(await refundsAt(settled + outcomeDelay)).toEqual({
      amountCents: 5200,
      pendingCents: 200,
      status: 'pending',
    });
  });

  it('refunds once for many requests at once', async () => {
    const { refund, refundsAt } = await aSettledDebit();
    const refundId = randomUUID();
    await Promise.all(Array.from({ length: 4 }, () => refund(5000, { refundId })));
    expect(await refund(5000, { refundId })).toEqual({ result: 'accepted', isRepeated: true });
    expect(await refundsAt(settled)).toMatchObject({ amountCents: 5000 });
  });

  it('never refunds more than the debit', async () => {
    const { refund, refundsAt, amountCents } = await aSettledDebit();
    expect(await refund(amountCents + 1)).toEqual({ result: 'refused', reason: 'too_large' });
    expect(await refund(amountCents - 1)).toEqual({ result: 'accepted', isRepeated: false });
    expect(await refund(2)).toEqual({ result: 'refused', reason: 'too_large' });
    expect(await refund(1)).toEqual({ result: 'accepted', isRepeated: false });
    expect(await refund(1)).toEqual({ result: 'refused', reason: 'too_large' });
    expect(await refundsAt(settled)).toMatchObject({ amountCents });
  });

  it('does not refund a debit that has not settled, or that the bank returned', async () => {
    const order = await anOrder('user_good');
    await submitDebit(order, start);
    expect(await refundDebit({ ...order, refundId: randomUUID() }, start)).toEqual({
      result: 'refused',
      reason: 'other',
    });
    const { refund, refundsAt } = await aSettledDebit('user_late_return');
    expect(await refund(100, { at: returned })).toEqual({ result: 'refused', reason: 'disputed' });
    expect(await refundsAt(returned)).toBeUndefined();
  });
});
