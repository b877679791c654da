import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxUser } from '../../../functions/domain/payments/sandbox-bank.ts';
import type { DebitOrder } from '../../../functions/processors/processor.ts';
import type { FaultKind } from '../../../lib/local/stripe/faults.ts';
import { startService } from '../../payments/service.ts';
import { refusals, stripeBank } from '../../payments/stripe-bank.ts';
import { startLiveTables } from '../../support/live-tables.ts';
import { silences, startStripe, timesOf } from '../../support/stripe.ts';

const stripe = await startStripe();
afterAll(async () => {
  const { problems } = await control.read();
  await stripe.stop();
  expect(problems, 'requests that Stripe would refuse').toEqual([]);
});
const { control } = stripe;
beforeEach(() => control.clearFaults());
const { database } = await startLiveTables();
const start = Date.parse('2026-11-20T10:00:00.000Z');

async function serviceWith(refusal?: (typeof refusals)[number]) {
  const serviceOf = async (options: Parameters<typeof stripeBank>[1]) =>
    startService({ database, bank: await stripeBank(stripe, { ...options, ...(refusal && { refusal }) }) });
  const service = await serviceOf({});
  // Only for calls that get no answer: a busy machine may take as long for one.
  const impatient = await serviceOf({ timeout: 1500 });
  service.clock.now = start;
  const { submitDebit, voidDebit, findDebit } = service.processor;
  const submitDuring = (kind: FaultKind, order: DebitOrder) =>
    (kind === 'no_answer_after_acceptance' ? impatient.processor : service.processor).submitDebit(order, start);

  async function anOrder(user: SandboxUser) {
    const sessionId = await service.create(`INV-${randomBytes(8).toString('hex')}`);
    await service.connectBank(sessionId, user);
    await service.authorize(sessionId);
    const { practiceId, amountCents, processorAccount = '' } = await service.session(sessionId);
    return { sessionId, practiceId, amountCents, processorAccount };
  }

  return { service, submitDebit, submitDuring, voidDebit, findDebit, anOrder };
}

/** The statuses of a session's intents. */
async function intentsOf(sessionId: string): Promise<string[]> {
  const { events } = await control.read();
  const ids = events.flatMap(({ type, data }) =>
    type === 'payment_intent.created' && JSON.stringify(data.object['metadata']).includes(sessionId)
      ? [data.object.id]
      : [],
  );
  return Promise.all(ids.map(async (id) => (await control.find(id)).status));
}

const operations = {
  create: 'PostPaymentIntents',
  confirm: 'PostPaymentIntentsIntentConfirm',
  cancel: 'PostPaymentIntentsIntentCancel',
  retrieve: 'GetPaymentIntentsIntent',
};
const kinds = [...silences, 'forbidden' as const];

const failures = {
  account_unusable: { code: 'account_closed', achReturnCode: 'R02' },
  unconfirmable: { code: 'processor_error' },
  over_limit: { code: 'processor_limit_exceeded' },
  needs_deposits: { code: 'processor_error' },
};

describe.each(refusals)('a debit that is %s', async (refusal) => {
  const { service, submitDebit, submitDuring, voidDebit, findDebit, anOrder } = await serviceWith(refusal);
  const failure = failures[refusal];

  it('is refused, and canceled at Stripe, however often it is submitted', async () => {
    const order = await anOrder('user_processor_error');
    const refused = await submitDebit(order, start);
    expect(refused).toMatchObject({ result: 'refused', failure });
    expect(await intentsOf(order.sessionId)).toEqual(['canceled']);
    expect(await submitDebit(order, start)).toEqual(refused);
    expect(await findDebit(order.sessionId, start)).toBeUndefined();
  });

  it('fails its session', async () => {
    const { sessionId } = await anOrder('user_processor_error');
    await service.submit(sessionId);
    expect(await service.session(sessionId)).toMatchObject({ status: 'failed', failure });
  });

  it('cannot be voided afterwards', async () => {
    const order = await anOrder('user_processor_error');
    await submitDebit(order, start);
    expect(await voidDebit(order, start)).toEqual({ result: 'too_late' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'refused', failure });
  });

  it.each(kinds)('is unknown while its cancellation gets %s, then refused', async (kind) => {
    const order = await anOrder('user_processor_error');
    await control.fault(kind, { operation: operations.cancel, times: timesOf(kind) });
    expect(await submitDuring(kind, order)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'refused', failure });
    expect(await intentsOf(order.sessionId)).toEqual(['canceled']);
  });
});

describe('a debit whose confirmation is refused', async () => {
  const { submitDebit, submitDuring, voidDebit, findDebit, anOrder } = await serviceWith();
  const processorError = { result: 'refused', failure: { code: 'processor_error' } };

  it.each(kinds)('is unknown while the look-up gets %s, then submitted once it can be confirmed', async (kind) => {
    const order = await anOrder('user_good');
    await control.fault('invalid_request', { operation: operations.confirm });
    await control.fault(kind, { operation: operations.retrieve, times: timesOf(kind) });
    expect(await submitDuring(kind, order)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'submitted' });
  });

  it('once is refused for good', async () => {
    const order = await anOrder('user_good');
    await control.fault('invalid_request', { operation: operations.confirm });
    expect(await submitDebit(order, start)).toMatchObject(processorError);
    expect(await submitDebit(order, start)).toMatchObject(processorError);
    expect(await intentsOf(order.sessionId)).toEqual(['canceled']);
  });

  it('although Stripe acted on it is submitted', async () => {
    const order = await anOrder('user_good');
    await control.fault('invalid_request_after_acceptance', { operation: operations.confirm });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'submitted' });
    expect((await findDebit(order.sessionId, start))?.state.state).toBe('pending');
  });

  it('and then voided is voided', async () => {
    const order = await anOrder('user_good');
    await control.fault('invalid_request', { operation: operations.confirm });
    await control.fault('server_error', { operation: operations.retrieve });
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
    expect(await submitDebit(order, start)).toEqual({ result: 'voided' });
  });

  it('for lack of permission is unknown, then submitted', async () => {
    const order = await anOrder('user_good');
    await control.fault('forbidden', { operation: operations.confirm });
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'submitted' });
  });
});

it('a debit that Stripe refuses to create is refused for good, and nothing is left', async () => {
  const { submitDebit, voidDebit, anOrder } = await serviceWith();
  const order = await anOrder('user_good');
  await control.fault('invalid_request', { operation: operations.create });
  const refused = await submitDebit(order, start);
  expect(refused).toMatchObject({ result: 'refused', failure: { code: 'processor_error' } });
  expect(await submitDebit(order, start)).toEqual(refused);
  expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
  expect(await intentsOf(order.sessionId)).toEqual([]);
});

it('a debit that a parallel submission entered stands, although Stripe refuses to create another', async () => {
  const { submitDebit, findDebit, anOrder } = await serviceWith();
  const order = await anOrder('user_good');
  await control.fault('invalid_request', { operation: operations.create });
  const answers = await Promise.all([submitDebit(order, start), submitDebit(order, start)]);
  const { result } = await submitDebit(order, start);
  expect(answers.map((answer) => answer.result)).toEqual([result, result]);
  expect((await findDebit(order.sessionId, start)) !== undefined).toBe(result === 'submitted');
});
