import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { FaultKind } from '../../../lib/local/stripe/faults.ts';
import { startService } from '../../payments/service.ts';
import { refusals, stripeBank } from '../../payments/stripe-bank.ts';
import { aPractice } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';
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

const { processor } = startService({ database, bank: await stripeBank(stripe) });
const { submitDebit, voidDebit, findDebit } = processor;

/** Its practice has its own account, so that its faults affect no other test. */
async function anOrder(refusal?: (typeof refusals)[number]) {
  const { id: account } = await control.createAccount();
  const practice = aPractice({ practiceId: `prc_${account}`, depositAccountId: account });
  const service = startService({ database, bank: await stripeBank(stripe, refusal && { refusal }), practice });
  service.clock.now = start;
  const sessionId = await service.create(`INV-${randomBytes(8).toString('hex')}`);
  await service.connectBank(sessionId, refusal ? 'user_processor_error' : 'user_good');
  await service.authorize(sessionId);
  const { practiceId, amountCents, processorAccount = '' } = await service.session(sessionId);
  const fault = (kind: FaultKind, operation: string) =>
    control.fault(kind, { operation, account, times: timesOf(kind) });
  return { order: { sessionId, practiceId, amountCents, processorAccount }, service, fault };
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

describe.concurrent.each(refusals)('a debit that is %s', (refusal) => {
  const failure = failures[refusal];

  it('is refused, and canceled at Stripe, however often it is submitted', async ({ expect }) => {
    const { order } = await anOrder(refusal);
    const refused = await submitDebit(order, start);
    expect(refused).toMatchObject({ result: 'refused', failure });
    expect(await intentsOf(order.sessionId)).toEqual(['canceled']);
    expect(await submitDebit(order, start)).toEqual(refused);
    expect(await findDebit(order.sessionId, start)).toBeUndefined();
  });

  it('fails its session', async ({ expect }) => {
    const { order, service } = await anOrder(refusal);
    await service.submit(order.sessionId);
    expect(await service.session(order.sessionId)).toMatchObject({ status: 'failed', failure });
  });

  it('cannot be voided afterward', async ({ expect }) => {
    const { order } = await anOrder(refusal);
    await submitDebit(order, start);
    expect(await voidDebit(order, start)).toEqual({ result: 'too_late' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'refused', failure });
  });

  // A cancellation has the same effect after each refusal.
  const some = kinds.filter((_, index) => index % refusals.length === refusals.indexOf(refusal));
  it.for(some)('is unknown while its cancellation gets %s, then refused', async (kind, { expect }) => {
    const { order, fault } = await anOrder(refusal);
    await fault(kind, operations.cancel);
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'refused', failure });
    expect(await intentsOf(order.sessionId)).toEqual(['canceled']);
  });
});

describe.concurrent('a debit whose confirmation is refused', () => {
  const processorError = { result: 'refused', failure: { code: 'processor_error' } };

  it.for(kinds)(
    'is unknown while the look-up gets %s, then submitted once it can be confirmed',
    async (kind, { expect }) => {
      const { order, fault } = await anOrder();
      await fault('invalid_request', operations.confirm);
      await fault(kind, operations.retrieve);
      expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
      expect(await submitDebit(order, start)).toMatchObject({ result: 'submitted' });
    },
  );

  it('once is refused for good', async ({ expect }) => {
    const { order, fault } = await anOrder();
    await fault('invalid_request', operations.confirm);
    expect(await submitDebit(order, start)).toMatchObject(processorError);
    expect(await submitDebit(order, start)).toMatchObject(processorError);
    expect(await intentsOf(order.sessionId)).toEqual(['canceled']);
  });

  it('although Stripe acted on it is submitted', async ({ expect }) => {
    const { order, fault } = await anOrder();
    await fault('invalid_request_after_acceptance', operations.confirm);
    expect(await submitDebit(order, start)).toMatchObject({ result: 'submitted' });
    expect((await findDebit(order.sessionId, start))?.state.state).toBe('pending');
  });

  it('and then voided is voided', async ({ expect }) => {
    const { order, fault } = await anOrder();
    await fault('invalid_request', operations.confirm);
    await fault('server_error', operations.retrieve);
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
    expect(await submitDebit(order, start)).toEqual({ result: 'voided' });
  });

  it('for lack of permission is unknown, then submitted', async ({ expect }) => {
    const { order, fault } = await anOrder();
    await fault('forbidden', operations.confirm);
    expect(await submitDebit(order, start)).toEqual({ result: 'unknown' });
    expect(await submitDebit(order, start)).toMatchObject({ result: 'submitted' });
  });
});

it.concurrent('a debit that Stripe refuses to create is refused for good, and nothing is left', async ({ expect }) => {
  const { order, fault } = await anOrder();
  await fault('invalid_request', operations.create);
  const refused = await submitDebit(order, start);
  expect(refused).toMatchObject({ result: 'refused', failure: { code: 'processor_error' } });
  expect(await submitDebit(order, start)).toEqual(refused);
  expect(await voidDebit(order, start)).toEqual({ result: 'voided' });
  expect(await intentsOf(order.sessionId)).toEqual([]);
});

it.concurrent('a debit that a parallel submission entered stands, although Stripe refuses to create another', async ({
  expect,
}) => {
  const { order, fault } = await anOrder();
  await fault('invalid_request', operations.create);
  const answers = await Promise.all([submitDebit(order, start), submitDebit(order, start)]);
  const { result } = await submitDebit(order, start);
  expect(answers.map((answer) => answer.result)).toEqual([result, result]);
  expect((await findDebit(order.sessionId, start)) !== undefined).toBe(result === 'submitted');
});
