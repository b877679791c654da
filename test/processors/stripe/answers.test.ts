import { describe, expect, it } from 'vitest';
import { debitStateOf } from '../../../functions/processors/stripe/find-debit.ts';
import { failureOf, returnOf } from '../../../functions/processors/stripe/failures.ts';
import type { PaymentIntent } from '../../../functions/processors/stripe/intents.ts';
import { readAccount, writeAccount } from '../../../functions/processors/stripe/account.ts';
import { liveKeysOnly } from '../../../functions/processors/stripe/client.ts';

const charge = { created: 1_795_000_000, disputed: true, amount_refunded: 0 };
const paid: PaymentIntent = { id: 'pi_1', status: 'succeeded', created: 1_794_000_000, latest_charge: charge };

describe('a refusal', () => {
  it.each([
    [{ code: 'insufficient_funds' }, { code: 'insufficient_funds' }],
    [
      { code: 'insufficient_funds', network_decline_code: 'R09' },
      { code: 'insufficient_funds', achReturnCode: 'R09' },
    ],
    [
      { code: 'account_closed', network_decline_code: 'R02' },
      { code: 'account_closed', achReturnCode: 'R02' },
    ],
    [{ code: 'no_account' }, { code: 'account_not_found' }],
    [{ code: 'debit_not_authorized' }, { code: 'debit_not_authorized' }],
    [{ code: 'bank_account_restricted' }, { code: 'account_frozen' }],
    [
      { code: 'bank_account_unusable', network_decline_code: 'R16' },
      { code: 'account_frozen', achReturnCode: 'R16' },
    ],
    [{ code: 'bank_account_unusable' }, { code: 'account_unusable' }],
    [{ code: 'capability_not_active' }, { code: 'practice_account_restricted' }],
    [{ code: 'charge_exceeds_source_limit' }, { code: 'processor_limit_exceeded' }],
    [{ code: 'charge_exceeds_transaction_limit' }, { code: 'processor_limit_exceeded' }],
    [{ code: 'charge_exceeds_weekly_limit' }, { code: 'processor_limit_exceeded' }],
    [{ code: 'payment_intent_mandate_invalid' }, { code: 'authorization_invalid' }],
    [{ code: 'a_code_of_tomorrow' }, { code: 'bank_declined' }],
    [{ code: 'insufficient_funds', network_decline_code: 'generic_decline' }, { code: 'insufficient_funds' }],
    [{ code: null, network_decline_code: null }, { code: 'bank_declined' }],
  ])('%j is %j', (decline, failure) => {
    expect(failureOf(decline)).toEqual({ ...failure, message: expect.any(String) });
  });
});

describe('a dispute', () => {
  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['incorrect_account_details', 'account_not_found'],
    ['bank_cannot_process', 'bank_declined'],
    ['debit_not_authorized', 'debit_not_authorized'],
    ['customer_initiated', 'debit_not_authorized'],
  ])('for %s is %s', (reason, code) => {
    expect(returnOf(reason)).toMatchObject({ code });
  });

  it.each(['lost', 'needs_response', 'under_review'])('that is %s is a return', (status) => {
    expect(debitStateOf(paid, [{ status, reason: 'insufficient_funds' }])?.state).toBe('returned');
  });

  it.each(['won', 'prevented', 'warning_closed'])('that is %s is not a return', (status) => {
    expect(debitStateOf(paid, [{ status, reason: 'insufficient_funds' }])?.state).toBe('succeeded');
  });
});

describe('an intent', () => {
  const declined = { code: 'insufficient_funds' };
  it.each([
    ['requires_confirmation', {}, undefined],
    ['requires_action', { latest_charge: charge }, undefined],
    ['requires_payment_method', { last_payment_error: declined }, undefined],
    ['canceled', {}, undefined],
    ['processing', { latest_charge: charge }, 'pending'],
    ['canceled', { latest_charge: charge }, 'voided'],
    ['requires_payment_method', { latest_charge: charge, last_payment_error: declined }, 'failed'],
    ['canceled', { latest_charge: charge, last_payment_error: declined }, 'failed'],
    ['succeeded', { latest_charge: charge }, 'succeeded'],
  ] as const)('%s %j is a debit: %s', (status, differences, state) => {
    expect(debitStateOf({ ...paid, latest_charge: null, status, ...differences }, [])?.state).toBe(state);
  });
});

describe('account', () => {
  const account = {
    deposit: { chargeType: 'direct', account: 'acct_1' },
    customer: 'cus_1',
    bankAccount: 'fca_1',
    statementDescriptor: 'LAKESIDE FAMILY PRACTICE',
  } as const;

  it('is read as it was written', () => {
    expect(readAccount(writeAccount(account))).toEqual(account);
  });

  it('is refused if it is not a Stripe account', () => {
    for (const other of ['user_good', 'direct acct_1', ''])
      expect(() => readAccount(other)).toThrow('not a Stripe account');
  });
});

describe('secret', () => {
  const secretWith = (secretKey: string, publishableKey = 'pk_live_x') =>
    JSON.stringify({ secretKey, publishableKey, webhookSecret: 'whsec_x', connectWebhookSecret: 'whsec_y' });
  const read = (...keys: [string, string?]) => liveKeysOnly(async () => secretWith(...keys))();

  describe("a deployed stack's secret", () => {
    it.each(['sk_live_abc', 'rk_live_abc'])('may have the key %s', async (key) => {
      expect(await read(key)).toBe(secretWith(key));
    });

    it.each(['sk_test_abc', 'rk_test_abc', 'pk_live_abc', 'abc_sk_live_'])(
      'is refused with %s: patients would be told that they paid',
      async (key) => {
        const error = await read(key).catch((reason: unknown) => reason);
        expect(String(error)).toContain('needs live keys');
        expect(String(error)).not.toContain(key);
      },
    );

    it('is refused with a test-mode publishable key, which only the bank picker would notice', async () => {
      await expect(read('sk_live_abc', 'pk_test_x')).rejects.toThrow('needs live keys');
    });
  });
});
