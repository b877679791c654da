import { afterAll, expect } from 'vitest';
import { payeeOf } from '../../../functions/domain/practices/practice.ts';
import type { ChargeType } from '../../../functions/domain/payments/debit.ts';
import { settlePayment } from '../../../functions/payments/settle.ts';
import { stripeCaller } from '../../../functions/processors/stripe/client.ts';
import { stripeConnector, stripeStarter } from '../../../functions/processors/stripe/bank-connection.ts';
import { stripeProcessor } from '../../../functions/processors/stripe/processor.ts';
import { advancePayment } from '../../../functions/payments/submit.ts';
import { putEvidence } from '../../../functions/store/payments/authorizations.ts';
import { fullName } from '../../../functions/domain/sessions/session.ts';
import { getExistingSession } from '../../../functions/store/sessions/sessions.ts';
import { transact } from '../../../functions/store/transact.ts';
import { toIso, minute } from '../../../functions/domain/time.ts';
import { aPractice } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';
import { storeSession } from '../../support/create-practice.ts';
import { startStripe } from '../../support/stripe.ts';

/** A debit whose authorization is older than three banking days is not submitted. */
const started = toIso(Date.now() - minute);
const bankAccount = { bankName: 'Test Bank', accountType: 'checking', last4: '6789' } as const;

/** Production's tables and processor against the stand-in for Stripe. Banks answer only when told to. */
export async function startLivePayments() {
  const { database } = await startTestTables('live');
  const stripe = await startStripe();
  afterAll(async () => {
    const { problems } = await stripe.control.read();
    await stripe.stop();
    expect(problems, 'requests that Stripe would refuse').toEqual([]);
  });
  await stripe.control.hold();
  const secret = {
    secretKey: stripe.secretKey,
    publishableKey: stripe.publishableKey,
    webhookSecret: stripe.webhookSecret as string | string[],
    connectWebhookSecret: stripe.connectWebhookSecret as string | string[],
  };
  let read = JSON.stringify(secret);
  /** Reads the secret as a function does: once, and again on request. */
  const readSecret = async (options?: { again: true }) => {
    if (options?.again) read = JSON.stringify(secret);
    return read;
  };
  const call = stripeCaller(readSecret, stripe.apiBase, 5 * minute);
  const processor = stripeProcessor(database, call);
  const tools = { database, processor };

  /** Submits a debit so that the bank has it. */
  async function pay(bank: string, chargeType: ChargeType = 'direct', ofAccount?: string, fee?: number) {
    const account = ofAccount ?? (await stripe.control.createAccount()).id;
    const practice = aPractice({ depositAccountId: account });
    const pending = await storeSession(database, { livemode: true });
    const start = await stripeStarter(call, chargeType).startConnection({ session: pending, practice }, Date.now());
    if (start.result !== 'started') throw new Error('no bank picker');
    await stripe.control.connectBank(start.connectionId, bank);
    const connected = await stripeConnector(call, chargeType).connectBank(
      {
        session: { ...pending, bankConnectionId: start.connectionId },
        practice,
        signIn: undefined,
      },
      Date.now(),
    );
    if (connected.result !== 'connected') throw new Error(`the bank is ${connected.result}`);
    const { processorAccount } = connected;
    const session = await storeSession(database, {
      livemode: true,
      status: 'processing',
      sequence: 1,
      processingAt: started,
      processorAccount,
      ...(fee !== undefined && { fee }),
    });
    const { sessionId, practiceId, patient, amountCents, invoiceId } = session;
    const text = { authorizationId: 'auth_1', text: 'I authorize', templateVersion: '1', locale: 'en' } as const;
    const payerName = fullName(patient);
    const source = { sourceAddress: '203.0.113.9', userAgent: 'test', authorizedAt: started };
    const payee = payeeOf(practice);
    const evidence = { sessionId, practiceId, patient, amountCents, invoiceId, payee, bankAccount, processorAccount };
    await transact(database, { evidence: putEvidence(database, { ...evidence, payerName, ...text, ...source }) });
    await advancePayment(tools, { sessionId }, Date.now());
    const current = () => getExistingSession(database, sessionId);
    const { debit } = await current();
    if (!debit) throw new Error('Stripe did not take the debit');
    return { sessionId, account, debitId: debit.debitId, current };
  }

  return {
    database,
    stripe,
    secret,
    readSecret,
    tools,
    pay,
    settle: (sessionId: string) => settlePayment(tools, { sessionId }, Date.now()),
  };
}
