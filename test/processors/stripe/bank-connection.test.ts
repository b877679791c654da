import { afterAll, describe, expect, it } from 'vitest';
import { offeredIn } from '../../../functions/domain/payments/authorization.ts';
import { hasUsedUpSignIns } from '../../../functions/domain/sessions/session-status.ts';
import { minute } from '../../../functions/domain/time.ts';
import { stripeConnector, stripeStarter } from '../../../functions/processors/stripe/bank-connection.ts';
import { connectBank, startBankConnection } from '../../../functions/sessions/connect-bank.ts';
import { getExistingSession } from '../../../functions/store/sessions/sessions.ts';
import { stripeBank } from '../../payments/stripe-bank.ts';
import { aPractice } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';
import { problemOf } from '../../support/problems.ts';
import { storeSession } from '../../support/create-practice.ts';
import { startStripe } from '../../support/stripe.ts';

const stripe = await startStripe();
afterAll(async () => {
  const { problems } = await control.read();
  await stripe.stop();
  expect(problems, 'requests that Stripe would refuse').toEqual([]);
});
const { control, publishableKey } = stripe;
const { database } = await startTestTables('live');
const { call, practice: ready } = await stripeBank(stripe);
const practice = aPractice(ready);
const now = Date.parse('2026-11-20T10:00:00.000Z');
const starting = { database, processor: stripeStarter(call, 'direct') };
const connecting = { database, processor: stripeConnector(call, 'direct') };

async function aPatient(differences = {}) {
  const { sessionId } = await storeSession(database, differences, now);
  const current = () => getExistingSession(database, sessionId);
  return {
    current,
    start: async (of = practice) => startBankConnection(starting, { session: await current(), practice: of }, now),
    pick: async (bank: string, connection?: string) =>
      control.connectBank(connection ?? (await current()).bankConnectionId ?? '', bank),
    connect: async (at = now) => connectBank(connecting, { session: await current(), practice, signIn: undefined }, at),
  };
}

describe('starting the bank picker', () => {
  it('returns what the browser needs, and nothing that can pay', async () => {
    const { start, current } = await aPatient();
    const client = await start();
    expect(client).toEqual({
      publishableKey,
      account: practice.depositAccountId,
      clientSecret: expect.stringMatching(/^fcsess_client_secret/),
    });
    expect(await current()).toMatchObject({ openedAt: '2026-11-20T10:00:00.000Z', bankConnectionAttempts: 0 });
  });

  it('twice at once starts one connection', async () => {
    const { current } = await aPatient();
    const read = { session: await current(), practice };
    let arrived = 0;
    const both = Promise.withResolvers<void>();
    // Neither calls Stripe before the other has opened the session.
    const together: typeof call = async (ask) => {
      if ((arrived += 1) === 2) both.resolve();
      await both.promise;
      return call(ask);
    };
    const start = () => startBankConnection({ database, processor: stripeStarter(together, 'direct') }, read, now);
    const started = await Promise.allSettled([start(), start()]);
    const secrets = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value.clientSecret] : []));
    expect(new Set(secrets).size).toBe(1);
  });

  it('again starts another connection', async () => {
    const { start } = await aPatient();
    const first = await start();
    expect((await start()).clientSecret).not.toBe(first.clientSecret);
  });

  it('through a new link starts another connection, even at once', async () => {
    const { start, current } = await aPatient();
    const starter = stripeStarter(call, 'direct');
    const before = await current();
    await start();
    const after = { ...before, tokenHash: 'of the new link' };
    const { bankConnectionId } = await current();
    expect(await starter.startConnection({ session: before, practice }, now)).toMatchObject({
      connectionId: bankConnectionId,
    });
    expect(await starter.startConnection({ session: after, practice }, now)).not.toMatchObject({
      connectionId: bankConnectionId,
    });
  });

  it('works 20 times through one link: then the link is locked, and the bank of the last start can be connected', async () => {
    const { start, pick, connect, current } = await aPatient();
    const requests = async () => {
      const { requests: all } = await control.read();
      return all.filter(({ operation }) => operation === 'PostFinancialConnectionsSessions').length;
    };
    const before = await requests();
    for (let starts = 1; starts <= 20; starts += 1) expect(await start()).toMatchObject({ publishableKey });
    const [one, other] = await Promise.all([problemOf(start()), problemOf(start())]);
    expect([one.code, other.code]).toEqual(['bank_connection_locked', 'bank_connection_locked']);
    expect(await requests()).toBe(before + 20);
    expect(hasUsedUpSignIns(await current())).toBe(true);
    expect(await problemOf(connect())).toMatchObject({
      code: 'bank_connection_failed',
      extra: { attemptsRemaining: 0 },
    });
    await pick('success');
    expect(hasUsedUpSignIns(await connect())).toBe(false);
  });

  it('at once for the last time gives no connection that is not counted', async () => {
    const { start, current } = await aPatient({ pickerStarts: 19 });
    const started = await Promise.allSettled([start(), start(), start()]);
    const given = started.filter(({ status }) => status === 'fulfilled');
    expect(given).toHaveLength(1);
    expect(await current()).toMatchObject({ pickerStarts: 20 });
  });

  it.each(['PostCustomers', 'PostFinancialConnectionsSessions'])(
    'works a minute after a server error of %s, which Stripe repeats for a day',
    async (operation) => {
      const { current } = await aPatient();
      const start = async (at: number) => startBankConnection(starting, { session: await current(), practice }, at);
      await control.fault('server_error_after_acceptance', { operation });
      expect(await problemOf(start(now))).toMatchObject({ code: 'bank_unavailable' });
      expect(await problemOf(start(now))).toMatchObject({ code: 'bank_unavailable' });
      expect(await start(now + minute)).toMatchObject({ publishableKey });
    },
  );

  it.each([
    ['has expired', { expiresAt: '2026-11-20T09:59:00.000Z' }, 'session_expired'],
    ['is processing', { status: 'processing' }, 'session_closed'],
    ['had too many attempts', { bankConnectionAttempts: 5 }, 'bank_connection_locked'],
    ['had too many starts', { pickerStarts: 20 }, 'bank_connection_locked'],
  ] as const)('of a session that %s is refused', async (_, differences, code) => {
    const { start, current } = await aPatient(differences);
    expect(await problemOf(start())).toMatchObject({ code });
    expect(await current()).not.toHaveProperty('bankConnectionId');
  });

  it('without a deposit account is unavailable', async () => {
    const { start } = await aPatient();
    expect(await problemOf(start(aPractice()))).toMatchObject({ code: 'bank_unavailable' });
  });
});

describe('connecting the bank that was picked', () => {
  it('uses the account of the stored connection', async () => {
    const { start, pick, connect } = await aPatient();
    await start();
    await pick('success');
    const session = await connect();
    expect(session).toMatchObject({
      bankAccount: { bankName: 'Test Bank', accountType: 'checking', last4: '6789' },
      bankConnectionAttempts: 0,
    });
    expect(offeredIn(session, 'en', now)?.text).toContain('Test Bank');
    expect(session.processorAccount).not.toMatch(/secret|Ada/);
  });

  it.each([
    ['Ada', 'Okafor', 'Ada Okafor'],
    ['Suharto', '-', 'Suharto'],
  ])('tells Stripe the name of %s %s', async (firstName, lastName, name) => {
    const { start, pick, connect, current } = await aPatient({ patient: { firstName, lastName } });
    await start();
    await pick('success');
    await connect();
    const { sessionId } = await current();
    const { requests } = await control.read();
    const sent = requests.filter(
      ({ operation, input }) => operation === 'PostPaymentMethods' && input?.metadata?.['sessionId'] === sessionId,
    );
    expect(sent.map(({ input }) => input?.billing_details?.name)).toEqual([name]);
  });

  it('before a start, or of a picker that was closed, counts as an attempt', async () => {
    const { start, connect, current } = await aPatient();
    expect(await problemOf(connect())).toMatchObject({ code: 'bank_connection_failed' });
    await start();
    expect(await problemOf(connect())).toMatchObject({
      code: 'bank_connection_failed',
      extra: { attemptsRemaining: 3 },
    });
    expect(await current()).not.toHaveProperty('bankAccount');
  });

  it('does not use the account that was picked in an earlier connection', async () => {
    const { start, pick, connect, current } = await aPatient();
    await start();
    const { bankConnectionId } = await current();
    await start();
    await pick('success', bankConnectionId);
    expect(await problemOf(connect())).toMatchObject({ code: 'bank_connection_failed' });
  });

  it('of a practice whose deposit account changed in the meantime starts over', async () => {
    const { start, pick, current } = await aPatient();
    await start();
    await pick('success');
    const moved = aPractice({ depositAccountId: (await control.createAccount()).id });
    const input = { session: await current(), practice: moved, signIn: undefined };
    expect(await problemOf(connectBank(connecting, input, now))).toMatchObject({ code: 'bank_unavailable' });
    expect(await start(moved)).toMatchObject({ account: moved.depositAccountId });
  });
});

describe('a bank step', () => {
  const startCalls = ['PostCustomers', 'PostFinancialConnectionsSessions'];
  const connectCalls = ['GetFinancialConnectionsSessionsSession', 'PostPaymentMethods'];
  const ourFaults = ['invalid_request', 'forbidden', 'incomplete_answer'] as const;
  const combined = (operations: string[]) =>
    operations.flatMap((each) => ourFaults.map((kind) => [kind, each] as const));

  it.each(combined(startCalls))('cannot start with %s of %s, and can a minute later', async (kind, operation) => {
    const { current } = await aPatient();
    const start = async (at: number) => startBankConnection(starting, { session: await current(), practice }, at);
    await control.fault(kind, { operation });
    expect(await problemOf(start(now))).toMatchObject({ code: 'bank_unavailable' });
    expect(await start(now + minute)).toMatchObject({ publishableKey });
  });

  it.each([...combined(connectCalls), ['account_pending', 'PostPaymentMethods'] as const])(
    "with %s of %s does not count as the patient's attempt, and works a minute later",
    async (kind, operation) => {
      const { start, pick, connect, current } = await aPatient();
      await start();
      await pick('success');
      await control.fault(kind, { operation });
      expect(await problemOf(connect())).toMatchObject({ code: 'bank_unavailable' });
      expect(await current()).toMatchObject({ bankConnectionAttempts: 0 });
      expect(await connect(now + minute)).toMatchObject({ bankAccount: { bankName: 'Test Bank' } });
    },
  );

  it.each(['declined', 'account_unavailable'] as const)('with an account that is %s is an attempt', async (kind) => {
    const { start, pick, connect, current } = await aPatient();
    await start();
    await pick('success');
    await control.fault(kind, { operation: 'PostPaymentMethods' });
    expect(await problemOf(connect())).toMatchObject({ code: 'bank_connection_failed' });
    expect(await current()).toMatchObject({ bankConnectionAttempts: 1 });
  });
});
