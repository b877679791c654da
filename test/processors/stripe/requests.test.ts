import { afterAll, describe, expect, it } from 'vitest';
import { stripeCaller } from '../../../functions/processors/stripe/client.ts';
import type { Practice } from '../../../functions/domain/practices/practice.ts';
import { getEvidence } from '../../../functions/store/payments/authorizations.ts';
import { insert } from '../../../functions/store/rows.ts';
import { startService } from '../../payments/service.ts';
import { secretOf, stripeBank } from '../../payments/stripe-bank.ts';
import { aPractice } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';
import { startStripe } from '../../support/stripe.ts';

const stripe = await startStripe();
afterAll(async () => {
  const { problems } = await control.read();
  await stripe.stop();
  expect(problems, 'requests that Stripe would refuse').toEqual([]);
});
const { control } = stripe;
const { database } = await startTestTables('live');
const now = Date.parse('2026-11-20T10:00:00.000Z');

/** All of one payment's requests to Stripe. */
async function requestsOf(
  chargeType: 'direct' | 'destination',
  differences: Partial<Practice> = {},
  payerName?: string,
) {
  const bank = await stripeBank(stripe, { chargeType });
  const before = (await control.read()).requests.length;
  const practice = aPractice({ ...bank.practice, ...differences });
  const service = startService({ database, bank, practice });
  service.clock.now = now;
  const sessionId = await service.create(`INV-${Math.random()}`);
  await service.connectBank(sessionId, 'user_good');
  if (payerName !== undefined) await service.namePayer(sessionId, payerName);
  await service.authorize(sessionId);
  await service.submit(sessionId);
  await service.settle(sessionId);
  const requests = (await control.read()).requests.slice(before);
  const inputOf = (operation: string) => requests.find((request) => request.operation === operation)?.input;
  return {
    sessionId,
    account: bank.practice.depositAccountId,
    requests,
    inputOf,
    session: await service.session(sessionId),
    evidence: await getEvidence(database, sessionId),
  };
}

describe('a payment', () => {
  it("by direct charge is made on the practice's account", async () => {
    const { account, requests, inputOf } = await requestsOf('direct');
    expect(new Set(requests.map((request) => request.account))).toEqual(new Set([account]));
    const created = inputOf('PostPaymentIntents');
    for (const field of ['on_behalf_of', 'transfer_data']) expect(created).not.toHaveProperty(field);
  });

  it.each(['direct', 'destination'] as const)(
    "by %s charge has the fee of the practice's platform",
    async (chargeType) => {
      const created = {
        platformId: `plt_${chargeType}`,
        name: 'Harbor Software',
        createdAt: '2026-11-20T09:00:00.000Z',
      };
      const terms = { applicationFeeCents: 30, applicationFeeBasisPoints: 100 };
      await insert(database, 'platforms', { ...created, ...terms }, 'platformId');
      const served = { platformId: created.platformId, platformSince: created.createdAt };
      const { inputOf } = await requestsOf(chargeType, served);
      expect(inputOf('PostPaymentIntents')).toMatchObject({ amount: 18_250, application_fee_amount: 213 });
      const { inputOf: ofExempt } = await requestsOf(chargeType, { ...served, applicationFeeCents: 0 });
      expect(ofExempt('PostPaymentIntents')).not.toHaveProperty('application_fee_amount');
    },
  );

  it("by destination charge is made on our account and transferred to the practice's", async () => {
    const { account, requests, inputOf } = await requestsOf('destination');
    expect(new Set(requests.map((request) => request.account))).toEqual(new Set([undefined]));
    expect(inputOf('PostPaymentIntents')).toMatchObject({
      on_behalf_of: account,
      transfer_data: { destination: account },
    });
  });

  it('describes itself with IDs only', async () => {
    const { sessionId, inputOf, session } = await requestsOf('direct');
    const ids = { sessionId, practiceId: session.practiceId };
    const created = inputOf('PostPaymentIntents');
    expect(created).toMatchObject({
      amount: 18_250,
      currency: 'usd',
      allowed_payment_method_types: ['us_bank_account'],
      payment_method_options: { us_bank_account: { transaction_purpose: 'services', verification_method: 'instant' } },
      statement_descriptor: 'LAKESIDE FAMILY',
      metadata: ids,
    });
    expect(inputOf('PostCustomers')).toEqual({ metadata: ids });
    const { payment_method_data: _, ...rest } = Object(created);
    expect(JSON.stringify(rest)).not.toMatch(/Ada|Okafor|INV-/);
  });

  it.each([
    ['the patient', undefined, 'Ada Okafor'],
    ['whoever was named instead', 'Grace Okafor', 'Grace Okafor'],
  ])("names %s as the account's holder, as the evidence does", async (_, payerName, name) => {
    const { inputOf, evidence, session } = await requestsOf('direct', {}, payerName);
    expect(evidence).toMatchObject({ payerName: name, text: expect.stringContaining(`I, ${name},`) as string });
    expect(inputOf('PostPaymentIntents')).toMatchObject({ payment_method_data: { billing_details: { name } } });
    const { latest_charge } = await control.find(session.debit?.debitId ?? '');
    expect(await control.find(latest_charge)).toMatchObject({ billing_details: { name, email: null } });
  });

  it('is confirmed with the evidence of the authorization', async () => {
    const { inputOf } = await requestsOf('direct');
    expect(inputOf('PostPaymentIntentsIntentConfirm')).toEqual({
      mandate_data: {
        customer_acceptance: {
          type: 'online',
          accepted_at: now / 1000,
          online: { ip_address: '203.0.113.9', user_agent: 'test' },
        },
      },
    });
  });

  it('has the bank statement text that the practice had chosen, even if it chooses another later', async () => {
    const { inputOf, evidence } = await requestsOf('direct', { statementDescriptor: 'LAKESIDE CARE' });
    expect(inputOf('PostPaymentIntents')).toMatchObject({ statement_descriptor: 'LAKESIDE CARE' });
    expect(evidence?.payee).toMatchObject({ statementDescriptor: 'LAKESIDE CARE' });
  });

  it('has an idempotency key on every call that changes something, and no key twice', async () => {
    const { requests } = await requestsOf('direct');
    const keys = requests.filter(({ operation }) => operation.startsWith('Post')).map((each) => each.idempotencyKey);
    expect(keys.length).toBe(5);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).not.toMatch(/stripe-node-retry/);
  });
});

describe("Stripe's key", () => {
  it('is read once, and again after Stripe refuses it', async () => {
    let current = secretOf(stripe);
    let stored = current;
    let reads = 0;
    const call = stripeCaller(async (options) => {
      if (options?.again || reads === 0) {
        reads += 1;
        current = stored;
      }
      return current;
    }, stripe.apiBase);
    const createCustomer = () =>
      call(async (client) => client.customers.create({ metadata: {} }, { idempotencyKey: `test:${Math.random()}` }));
    await createCustomer();
    await createCustomer();
    expect(reads).toBe(1);

    const secretKey = `${stripe.secretKey}_rotated`;
    await control.rotateSecretKey(secretKey);
    await expect(createCustomer()).rejects.toMatchObject({ statusCode: 401 });
    expect(reads).toBe(2);
    stored = secretOf({ ...stripe, secretKey });
    await createCustomer();
    await createCustomer();
    expect(reads).toBe(3);
    await control.rotateSecretKey(stripe.secretKey);
  });

  it.each(['', '{}', '{"secretKey":"sk_live_secret"}', 'sk_live_secret'])(
    'must be in a secret of the expected shape, which is not quoted (%s)',
    async (secret) => {
      const call = stripeCaller(async () => secret, stripe.apiBase);
      const problem = await call(async (client) => client.customers.create({})).catch((error: unknown) =>
        String(error),
      );
      expect(problem).toBe("Fault: the processor's secret does not have the expected fields");
    },
  );
});
