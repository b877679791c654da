import { randomBytes } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { day, hour, minute, toIso } from '../../../functions/domain/time.ts';
import { outcomeDelay } from '../../payments/banks.ts';
import { getProcessorDebit } from '../../../functions/store/payments/processor-debits.ts';
import { startService } from '../../payments/service.ts';
import { stripeBank } from '../../payments/stripe-bank.ts';
import { aPractice } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';
import type { FaultKind } from '../../../lib/local/stripe/faults.ts';
import { silences, startStripe, timesOf } from '../../support/stripe.ts';

const stripe = await startStripe();
afterAll(async () => {
  const { problems } = await control.read();
  await stripe.stop();
  expect(problems, 'requests that Stripe would refuse').toEqual([]);
});
const { control } = stripe;
const { database } = await startTestTables('live');
const start = Date.parse('2026-11-20T10:00:00.000Z');

const bank = await stripeBank(stripe);
const { processor } = startService({ database, bank });
const { submitDebit, voidDebit, findDebit } = processor;

/** A practice with its own account, so that its faults affect no other test. */
async function aPayment() {
  const { id: account } = await control.createAccount();
  const practice = aPractice({ practiceId: `prc_${account}`, depositAccountId: account });
  const service = startService({ database, bank, practice });
  service.clock.now = start;
  const fault = (kind: FaultKind, operation: string) =>
    control.fault(kind, { operation, account, times: timesOf(kind) });
  return { service, fault, sessionId: await service.create(`INV-${randomBytes(8).toString('hex')}`) };
}

async function anOrder() {
  const { service, fault, sessionId } = await aPayment();
  await service.connectBank(sessionId, 'user_good');
  await service.authorize(sessionId);
  const { practiceId, amountCents, processorAccount = '' } = await service.session(sessionId);
  return { order: { sessionId, practiceId, amountCents, processorAccount }, fault };
}

/** What a session's intents cost the patient. */
async function chargesOf(sessionId: string): Promise<string[]> {
  const { events } = await control.read();
  return events
    .filter(
      ({ type, data }) =>
        type === 'charge.pending' && (data.object['metadata'] as Record<string, string>)['sessionId'] === sessionId,
    )
    .map(({ id }) => id);
}

/** No response, and no wait for one. */
const dropped = 'dropped_after_acceptance';
const operations = { create: 'PostPaymentIntents', confirm: 'PostPaymentIntentsIntentConfirm' } as const;
const cases = [...silences, 'account_pending' as const].flatMap((kind) =>
  (['create', 'confirm'] as const).map((call) => [kind, call] as const),
);

describe.concurrent('a debit whose submission got', () => {
  it.for(cases)('%s to %s is unknown, then submitted once', async ([kind, call], { expect }) => {
    const { order, fault } = await anOrder();
    await fault(kind, operations[call]);
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start + 30_000)).toMatchObject({ result: 'submitted' });
    expect(await chargesOf(order.sessionId)).toHaveLength(1);
    expect((await findDebit(order.sessionId, start + 30_000 + outcomeDelay))?.state.state).toBe('succeeded');
  });

  it.for(cases)('%s to %s can still be voided, and is never submitted again', async ([kind, call], { expect }) => {
    const { order, fault } = await anOrder();
    await fault(kind, operations[call]);
    await submitDebit(order, start);
    expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
    expect(await submitDebit(order, start + 30_000)).toEqual({ result: 'voided' });
    expect((await findDebit(order.sessionId, start + 2 * outcomeDelay))?.state.state ?? 'voided').toBe('voided');
  });

  it('no answer in time is unknown, then submitted once', async ({ expect }) => {
    const { order, fault } = await anOrder();
    // A busy machine may take as long for other calls.
    const impatient = startService({ database, bank: await stripeBank(stripe, { timeout: 3000 }) }).processor;
    await fault('no_answer_after_acceptance', operations.confirm);
    expect(await impatient.submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start + 30_000)).toMatchObject({ result: 'submitted' });
    expect(await chargesOf(order.sessionId)).toHaveLength(1);
  });

  it('no answer, and is sent again by a release with another parameter, is submitted once', async ({ expect }) => {
    const { order, fault } = await anOrder();
    await fault(dropped, operations.create);
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    const released = { ...order, processorAccount: `${order.processorAccount} X` };
    expect(await submitDebit(released, start + 30_000), "the key's parameters differ").toEqual({ result: 'unknown' });
    expect(await submitDebit(released, start + 60_000)).toMatchObject({ result: 'submitted' });
    expect(await chargesOf(order.sessionId)).toHaveLength(1);
  });

  it.for(silences)('%s to the look-up before a retry stays unknown', async (kind, { expect }) => {
    const { order, fault } = await anOrder();
    await fault(dropped, operations.confirm);
    await submitDebit(order, start);
    await fault(kind, 'GetPaymentIntentsIntent');
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'submitted' });
    expect(await chargesOf(order.sessionId)).toHaveLength(1);
  });
});

describe.concurrent('a void that got', () => {
  it.for(silences)('%s is unknown, then voided', async (kind, { expect }) => {
    const { order, fault } = await anOrder();
    await submitDebit(order, start);
    await fault(kind, 'PostPaymentIntentsIntentCancel');
    expect(await voidDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
  });
});

it.concurrent('a look-up without an answer throws, so that its ticket comes again', async ({ expect }) => {
  const { order, fault } = await anOrder();
  await submitDebit(order, start);
  await fault('server_error', 'GetPaymentIntentsIntent');
  await expect(findDebit(order.sessionId, start)).rejects.toThrow();
});

it.concurrent.for(['PostCustomers', 'PostFinancialConnectionsSessions', 'PostPaymentMethods'])(
  'a bank step without an answer to %s counts no attempt, and works the next time',
  async (operation, { expect }) => {
    const { service, fault, sessionId } = await aPayment();
    await fault(dropped, operation);
    expect(await service.connectBank(sessionId, 'user_good')).toBe(false);
    expect(await service.session(sessionId)).toMatchObject({ bankConnectionAttempts: 0 });
    expect(await service.connectBank(sessionId, 'user_good')).toBe(true);
  },
);

describe('a debit whose row is lost, as after a restore to an earlier time', () => {
  const loseRow = (sessionId: string) =>
    database.documents.send(new DeleteCommand({ TableName: database.tables.processorDebits, Key: { sessionId } }));

  it.each([hour, 2 * day])('and that is submitted %i milliseconds later is found, not made again', async (age) => {
    const order = { ...(await anOrder()).order, authorizedAt: toIso(start) };
    const first = await submitDebit(order, start);
    await loseRow(order.sessionId);
    await control.advance(age);
    expect(await submitDebit(order, start + age)).toMatchObject({
      ...first,
      submittedAt: expect.any(String) as string,
    });
    expect(await chargesOf(order.sessionId)).toHaveLength(1);
  });

  it.each([
    ['recorded in its session', 0, true],
    ['authorized minutes ago', 6 * minute, false],
    ['authorized long ago', 2 * day, false],
  ])('and that is %s is cancelled at Stripe', async (_, age, isRecorded) => {
    const order = { ...(await anOrder()).order, authorizedAt: toIso(start) };
    const { sessionId } = order;
    const submission = await submitDebit(order, start);
    if (submission.result !== 'submitted') throw new Error(submission.result);
    await loseRow(sessionId);
    await control.hold();
    await control.advance(age);
    const { debitId } = submission;
    expect(await voidDebit({ ...order, ...(isRecorded && { debitId }) }, start + age)).toEqual({ result: 'voided' });
    expect(await control.find(debitId)).toMatchObject({ status: 'canceled' });
    expect(await findDebit(sessionId, start + age)).toMatchObject({ debitId, state: { state: 'voided' } });
  });

  it('and that a release submits with another parameter is found, not made again', async () => {
    const order = { ...(await anOrder()).order, authorizedAt: toIso(start) };
    const first = await submitDebit(order, start);
    await loseRow(order.sessionId);
    const released = { ...order, processorAccount: `${order.processorAccount} X` };
    expect(await submitDebit(released, start + hour)).toEqual({ result: 'unknown' });
    expect(await submitDebit(released, start + hour)).toMatchObject({
      ...first,
      submittedAt: expect.any(String) as string,
    });
    expect(await chargesOf(order.sessionId)).toHaveLength(1);
  });

  it('and that Stripe does not find is not mistaken for voided, nor is another one of the session', async () => {
    const order = { ...(await anOrder()).order, debitId: 'pi_gone' };
    await submitDebit(order, start);
    await loseRow(order.sessionId);
    expect(await voidDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await getProcessorDebit(database, order.sessionId)).toBeUndefined();
  });

  it('and that was voided stays voided', async () => {
    const order = { ...(await anOrder()).order, authorizedAt: toIso(start) };
    await submitDebit(order, start);
    await voidDebit(order, start);
    await loseRow(order.sessionId);
    await control.advance(2 * day);
    expect(await submitDebit(order, start + 2 * day)).toEqual({ result: 'voided' });
    expect(await chargesOf(order.sessionId)).toHaveLength(1);
  });
});
