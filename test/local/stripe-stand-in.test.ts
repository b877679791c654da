import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startServer } from '../support/server.ts';
import { startStripe, type TestStripe } from '../support/stripe.ts';

let stripe: TestStripe;
let client: Stripe;
let account: string;

beforeAll(async () => {
  stripe = await startStripe({ payoutDelay: 60_000 });
  client = clientOf(stripe, stripe.secretKey);
  account = (await stripe.control.createAccount()).id;
});
afterAll(() => stripe.stop());
afterEach(async () => {
  await stripe.control.clearFaults();
  await stripe.control.release();
});

const withinSeconds = 20_000;

function clientOf({ apiBase }: TestStripe, key: string, timeout = withinSeconds): Stripe {
  const { hostname, port } = new URL(apiBase);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, timeout });
}

const on = (idempotencyKey?: string) => ({ stripeAccount: account, ...(idempotencyKey && { idempotencyKey }) });

async function connect(bank: string, options = on()): Promise<{ customer: string; paymentMethod: string }> {
  const customer = await client.customers.create({ metadata: { sessionId: 'ses_1' } }, options);
  const session = await client.financialConnections.sessions.create(
    { account_holder: { type: 'customer', customer: customer.id }, permissions: ['payment_method'] },
    options,
  );
  expect(await stripe.control.connectBank(session.client_secret!, bank)).toBe(true);
  const { accounts } = await client.financialConnections.sessions.retrieve(session.id, {}, options);
  const method = await client.paymentMethods.create(
    {
      type: 'us_bank_account',
      us_bank_account: { account_holder_type: 'individual', financial_connections_account: accounts.data[0]!.id },
      billing_details: { name: 'Ada Okafor' },
    },
    options,
  );
  return { customer: customer.id, paymentMethod: method.id };
}

const order = {
  amount: 18_250,
  currency: 'usd',
  allowed_payment_method_types: ['us_bank_account'],
  payment_method_options: { us_bank_account: { transaction_purpose: 'services' } },
  metadata: { sessionId: 'ses_1' },
} satisfies Stripe.PaymentIntentCreateParams;

const mandate_data = {
  customer_acceptance: {
    type: 'online',
    accepted_at: 1_790_000_000,
    online: { ip_address: '203.0.113.7', user_agent: 'a browser' },
  },
} satisfies Stripe.PaymentIntentConfirmParams['mandate_data'];

async function debit(bank: string, extra: Partial<Stripe.PaymentIntentCreateParams> = {}, options = on()) {
  const { customer, paymentMethod } = await connect(bank, options);
  const intent = await client.paymentIntents.create({ ...order, customer, ...extra }, options);
  expect(intent.status).toBe('requires_payment_method');
  return client.paymentIntents.confirm(intent.id, { payment_method: paymentMethod, mandate_data }, options);
}

const retrieve = (id: string, options = on()) =>
  client.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] }, options);
const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) => charge as Stripe.Charge;

async function until(status: string, id: string, options = on()): Promise<Stripe.PaymentIntent> {
  return vi.waitFor(async () => {
    const intent = await retrieve(id, options);
    expect(intent.status).toBe(status);
    return intent;
  }, withinSeconds);
}

async function errorOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Stripe.errors.StripeError);
  return error as Stripe.errors.StripeError;
}

test('a debit is processing, then succeeds and is booked with its fee', async () => {
  const { id, status } = await debit('success');
  expect(status).toBe('processing');
  const charge = chargeOf(await until('succeeded', id));
  expect(charge.payment_method_details?.us_bank_account).toMatchObject({ bank_name: 'Test Bank', last4: '6789' });
  expect(charge.balance_transaction).toMatchObject({ amount: 18_250, fee: 146, net: 18_104, type: 'payment' });
});

test('a debit is booked while it is processing, which no payout includes, and booked back if it fails or is canceled', async () => {
  const own = { stripeAccount: (await stripe.control.createAccount()).id };
  const booked = async () => (await client.balanceTransactions.list({}, own)).data.map(({ type, net }) => [type, net]);
  const { id } = await debit('stays_processing', {}, own);
  expect(await booked()).toEqual([['payment', 18_104]]);
  await expect(stripe.control.payOut(own.stripeAccount)).rejects.toThrow('balance_insufficient');
  await client.paymentIntents.cancel(id, {}, own);
  await until('requires_payment_method', (await debit('insufficient_funds', {}, own)).id, own);
  expect((await booked()).toSorted()).toEqual([
    ['payment', 18_104],
    ['payment', 18_104],
    ['payment_failure_refund', -18_104],
    ['payment_failure_refund', -18_104],
  ]);
  expect(await stripe.control.balance(own.stripeAccount)).toEqual({ cents: 0 });
});

test.each([
  ['insufficient_funds', 'insufficient_funds', undefined],
  ['account_closed', 'account_closed', 'R02'],
  ['debit_not_authorized', 'debit_not_authorized', 'R10'],
  ['processor_error', 'processing_error', undefined],
])('a debit at the bank %s fails with the code %s', async (bank, code, blocked) => {
  const { id } = await debit(bank);
  const failed = await until('requires_payment_method', id);
  expect(failed.last_payment_error).toMatchObject({ code });
  expect(failed.last_payment_error?.payment_method?.us_bank_account?.status_details?.blocked?.network_code).toBe(
    blocked,
  );
  expect(chargeOf(failed)).toMatchObject({ status: 'failed', failure_code: code });
});

test('an account that cannot be debited is refused at once', async () => {
  const error = await errorOf(debit('account_unusable'));
  expect(error).toMatchObject({ statusCode: 402, code: 'bank_account_unusable' });
  expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method' });
});

test('a debit in processing can be canceled, unless the bank has it', async () => {
  const slow = await debit('stays_processing');
  expect(await client.paymentIntents.cancel(slow.id, {}, on())).toMatchObject({ status: 'canceled' });
  const sent = await debit('cancel_refused');
  const error = await errorOf(client.paymentIntents.cancel(sent.id, {}, on()));
  expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
  expect((await retrieve(sent.id)).status).toBe('processing');
});

test('a late return is a lost dispute; the intent stays succeeded', async () => {
  const { id } = await debit('late_return');
  await until('succeeded', id);
  const dispute = await vi.waitFor(async () => {
    const { data } = await client.disputes.list({ payment_intent: id }, on());
    expect(data).toHaveLength(1);
    return data[0]!;
  }, withinSeconds);
  expect(dispute).toMatchObject({ status: 'lost', reason: 'insufficient_funds', amount: 18_250 });
  expect(chargeOf(await until('succeeded', id)).disputed).toBe(true);
});

test('a refund is pending, then succeeds', async () => {
  const { id } = await debit('success');
  await until('succeeded', id);
  const refund = await client.refunds.create({ payment_intent: id, amount: 250 }, on());
  expect(refund).toMatchObject({ status: 'pending', amount: 250 });
  await vi.waitFor(
    async () => expect((await client.refunds.retrieve(refund.id, {}, on())).status).toBe('succeeded'),
    withinSeconds,
  );
  expect((await client.refunds.list({ payment_intent: id }, on())).data).toHaveLength(1);
});

test('a payout takes all that was earned, and adds up to its balance transactions', async () => {
  const own = { stripeAccount: (await stripe.control.createAccount()).id };
  for (let count = 0; count < 3; count++) await until('succeeded', (await debit('success', {}, own)).id, own);
  const paid = await stripe.control.payOut(own.stripeAccount);
  const parts: Stripe.BalanceTransaction[] = [];
  for await (const part of client.balanceTransactions.list({ payout: paid.id, limit: 2 }, own)) parts.push(part);
  expect(parts).toHaveLength(4);
  expect(parts.reduce((sum, { net }) => sum + net, 0)).toBe(0);
  expect((await client.payouts.list({}, own)).data).toMatchObject([{ id: paid.id, amount: 3 * 18_104 }]);
});

test('a negative payout debits the bank of an account that owes money, but only if its settings say so', async () => {
  const asCustom = { type: 'custom', capabilities: { us_bank_account_ach_payments: { requested: true } } } as const;
  const { id: withoutSetting } = await client.accounts.create(asCustom);
  await stripe.control.require(withoutSetting, []);
  const { id: withSetting } = await stripe.control.createAccount();
  for (const stripeAccount of [withSetting, withoutSetting]) {
    const { id } = await until('succeeded', (await debit('success', {}, { stripeAccount })).id, { stripeAccount });
    await stripe.control.payOut(stripeAccount);
    await stripe.control.return(id);
  }
  expect((await stripe.control.payOut(withSetting)).amount).toBe(-18_650);
  expect((await stripe.control.balance(withSetting)).cents).toBe(0);
  await expect(stripe.control.payOut(withoutSetting)).rejects.toThrow('balance_insufficient');
});

test('an automatic payout takes what was earned since the last one', async () => {
  const own = { stripeAccount: (await stripe.control.createAccount()).id };
  await until('succeeded', (await debit('success', {}, own)).id, own);
  expect((await client.payouts.list({}, own)).data).toEqual([]);
  await stripe.control.advance(60_000);
  await vi.waitFor(
    async () => expect((await client.payouts.list({}, own)).data).toMatchObject([{ amount: 18_104 }]),
    withinSeconds,
  );
});

test('a destination charge passes the money on, and a reversal takes it back', async () => {
  const platform = {} as ReturnType<typeof on>;
  const destination = { transfer_data: { destination: account }, on_behalf_of: account };
  const { id } = await debit('success', destination, platform);
  const charge = chargeOf(await until('succeeded', id, platform));
  const reversal = await client.transfers.createReversal(charge.transfer as string, {});
  expect(reversal.amount).toBe(18_250);
  expect(await client.transfers.retrieve(charge.transfer as string)).toMatchObject({ reversed: true });
});

test('accounts are separate', async () => {
  const { id } = await debit('success');
  const other = (await stripe.control.createAccount()).id;
  expect(await errorOf(client.paymentIntents.retrieve(id, {}, { stripeAccount: other }))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  expect(await errorOf(client.paymentIntents.retrieve(id, {}, { stripeAccount: 'acct_x' }))).toMatchObject({
    statusCode: 403,
  });
});

test('an account takes debits only once it is onboarded', async () => {
  const created = await client.accounts.create({ capabilities: { us_bank_account_ach_payments: { requested: true } } });
  expect(created.requirements?.currently_due).toContain('external_account');
  const own = { stripeAccount: created.id };
  expect(await errorOf(debit('success', {}, own))).toMatchObject({ statusCode: 400 });
  const urls = { refresh_url: 'https://practice.example/again', return_url: 'https://practice.example/done' };
  const link = await client.accountLinks.create({ account: created.id, type: 'account_onboarding', ...urls });
  expect(await (await fetch(link.url)).text()).toContain('stands in for Stripe');
  const again = await fetch(link.url, { redirect: 'manual' });
  expect(again.headers.get('location')).toBe(urls.refresh_url);
  const body = new URLSearchParams({ finish: 'yes' });
  const finished = await fetch(link.url, { method: 'POST', body, redirect: 'manual' });
  expect(finished.headers.get('location')).toBe(urls.return_url);
  expect(await client.accounts.retrieve(created.id)).toMatchObject({ charges_enabled: true, payouts_enabled: true });
  expect((await debit('success', {}, own)).status).toBe('processing');
});

test('a call with the same idempotency key gets the same answer, and with other parameters a refusal', async () => {
  const first = await client.paymentIntents.create(order, on('create:1'));
  const second = await client.paymentIntents.create(order, on('create:1'));
  expect(second.id).toBe(first.id);
  const error = await errorOf(client.paymentIntents.create({ ...order, amount: 999 }, on('create:1')));
  expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
});

test.each([
  ['an unknown field', { ...order, amonut: 1 }, 'amonut'],
  ['a missing field', { currency: 'usd' }, 'amount'],
  ['a wrong type', { ...order, amount: 'ten' }, 'amount'],
  [
    'a value that is not in the list',
    { ...order, payment_method_options: { us_bank_account: { transaction_purpose: 'medicine' } } },
    'payment_method_options[us_bank_account][transaction_purpose]',
  ],
])('%s is refused and remembered', async (_name, params, param) => {
  const own = await startStripe();
  const error = await errorOf(clientOf(own, own.secretKey).paymentIntents.create(params as never));
  expect(error).toMatchObject({ statusCode: 400, param });
  const { problems } = await own.control.read();
  await own.stop();
  expect(problems).toHaveLength(1);
});

test('faults come as planned: after acceptance the call was done', async () => {
  const operation = 'PostPaymentIntents';
  const impatient = clientOf(stripe, stripe.secretKey, 1000);
  const create = (key: string, by = client) => by.paymentIntents.create(order, on(key));
  for (const kind of ['no_answer_after_acceptance', 'dropped_after_acceptance'] as const) {
    // Stripe's package tries a dropped connection once more by itself.
    await stripe.control.fault(kind, { operation, times: kind === 'dropped_after_acceptance' ? 2 : 1 });
    expect(await errorOf(create(kind, impatient))).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    const before = (await stripe.control.read()).events.filter(({ type }) => type === 'payment_intent.created').length;
    await create(kind);
    const after = (await stripe.control.read()).events.filter(({ type }) => type === 'payment_intent.created').length;
    expect(after).toBe(before);
  }
  const statuses = [
    ['rate_limited', 429],
    ['server_error', 500],
    ['idempotency_conflict', 409],
  ] as const;
  for (const [kind, statusCode] of statuses) {
    await stripe.control.fault(kind, { operation });
    expect(await errorOf(create(kind))).toMatchObject({ statusCode });
    await create(kind);
  }
  await stripe.control.fault('dropped_before_acceptance', { times: 2 });
  expect(await errorOf(create('dropped'))).toBeInstanceOf(Stripe.errors.StripeConnectionError);
});

test('a rotated key is refused', async () => {
  const own = await startStripe();
  await own.control.rotateSecretKey('sk_live_new');
  const error = await errorOf(clientOf(own, own.secretKey).events.list());
  expect(error).toMatchObject({ statusCode: 401, code: 'api_key_expired' });
  expect((await clientOf(own, 'sk_live_new').events.list()).data).toEqual([]);
  await own.stop();
});

test('events can be listed by page, from a time on, and only of their account', async () => {
  const own = { stripeAccount: (await stripe.control.createAccount()).id };
  const { id } = await debit('success', {}, own);
  await until('succeeded', id, own);
  const types: string[] = [];
  for await (const event of client.events.list({ limit: 2, created: { gte: 1 } }, own)) types.push(event.type);
  expect(types.toReversed()).toEqual([
    'account.updated',
    'account.external_account.created',
    'account.updated',
    'financial_connections.account.created',
    'payment_intent.created',
    'charge.pending',
    'payment_intent.processing',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
  expect((await client.events.list({ created: { gte: 9_999_999_999 } }, own)).data).toEqual([]);
});

test('notifications are signed with the secret of their endpoint; forged ones are not', async () => {
  const received: { type: string; valid: boolean }[] = [];
  const port = await startServer(
    createServer(async (request, response) => {
      const body = await text(request);
      const signature = request.headers['stripe-signature'] as string;
      const { type } = JSON.parse(body) as { type: string };
      let valid = true;
      try {
        client.webhooks.constructEvent(body, signature, stripe.connectWebhookSecret);
      } catch {
        valid = false;
      }
      received.push({ type, valid });
      response.writeHead(valid ? 200 : 400).end();
    }),
  );
  const types = () => received.map(({ type }) => type).filter((type) => type.startsWith('payment_intent'));
  await stripe.control.notify({ url: `http://127.0.0.1:${port}/` });
  await until('succeeded', (await debit('success')).id);
  const expected = ['payment_intent.created', 'payment_intent.processing', 'payment_intent.succeeded'];
  await vi.waitFor(() => expect(types()).toEqual(expected), withinSeconds);
  expect(received.every(({ valid }) => valid)).toBe(true);

  const { events } = await stripe.control.read();
  const last = events.findLast(({ type }) => type === 'payment_intent.succeeded')!;
  expect(await stripe.control.resend(last.id)).toBe(200);
  for (const how of ['wrong_secret', 'old_timestamp', 'changed_body'] as const)
    expect(await stripe.control.forge(last.id, how)).toBe(400);

  received.length = 0;
  await stripe.control.notify({ deliver: 'twice' });
  await client.paymentIntents.create(order, on());
  await vi.waitFor(() => expect(types()).toEqual(['payment_intent.created', 'payment_intent.created']), withinSeconds);
  received.length = 0;
  await stripe.control.notify({ deliver: 'reversed' });
  await until('succeeded', (await debit('success')).id);
  await vi.waitFor(() => expect(types()).toEqual(expected.toReversed()), withinSeconds);
  await stripe.control.notify({ deliver: 'never' });
});

test('no request in these tests violated the published description', async () => {
  expect((await stripe.control.read()).problems).toEqual([]);
});
