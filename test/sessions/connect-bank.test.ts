import { describe, expect, it } from 'vitest';
import { payeeOf, type Practice } from '../../functions/domain/practices/practice.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import type { BankConnector, ConnectionStarter } from '../../functions/processors/processor.ts';
import { sandboxConnector } from '../../functions/processors/sandbox/processor.ts';
import { connectBank, startBankConnection } from '../../functions/sessions/connect-bank.ts';
import type { LinkHolder } from '../../functions/sessions/find.ts';
import { expireAt, getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { aPractice } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const practice = aPractice();

function signIn(sessionId: string, password: string, processor: BankConnector = sandboxConnector) {
  const credentials = { username: 'user_good', password };
  return async () => {
    const session = await getExistingSession(database, sessionId);
    return problemOf(connectBank({ database, processor }, { session, practice, signIn: credentials }, now));
  };
}

describe('concurrent bank sign-ins', () => {
  it('learn about at most five wrong passwords; after that, the right one looks like a wrong one', async () => {
    const { sessionId } = await storeSession(database, { openedAt: '2026-11-20T10:00:00.000Z' });
    const guesses = Promise.withResolvers<void>();
    // Its bank answers after all the guesses were counted.
    const late: BankConnector = {
      connectBank: async (input, at) => guesses.promise.then(() => sandboxConnector.connectBank(input, at)),
    };
    const right = signIn(sessionId, practice.testBankPassword, late)();
    const wrong = await Promise.all(Array.from({ length: 12 }, (_, guess) => signIn(sessionId, `guess-${guess}`)()));
    guesses.resolve();
    const codes = wrong.map((problem) => problem?.code);
    expect(codes.filter((code) => code === 'bank_connection_failed')).toHaveLength(5);
    expect(codes.filter((code) => code === 'bank_connection_locked')).toHaveLength(7);
    expect(await right).toMatchObject({ code: 'bank_connection_locked' });
    const session = await getExistingSession(database, sessionId);
    expect(session.bankConnectionAttempts).toBe(5);
    expect(session).not.toHaveProperty('bankAccount');
  });

  it('each get a different number of remaining attempts', async () => {
    const { sessionId } = await storeSession(database, { openedAt: '2026-11-20T10:00:00.000Z' });
    const wrong = await Promise.all(Array.from({ length: 5 }, (_, guess) => signIn(sessionId, `guess-${guess}`)()));
    expect(wrong.map((problem) => problem?.extra?.['attemptsRemaining']).sort()).toEqual([0, 1, 2, 3, 4]);
  });
});

const bankAccount = { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' } as const;
const client = { publishableKey: 'pk_1', account: 'acct_1', clientSecret: 'secret' };
const suspended = { suspendedAt: '2026-11-20T09:00:00.000Z' };
const unavailable = { code: 'bank_unavailable', headers: { 'retry-after': '60' } };

/** `meanwhile` happens to the session before the bank answers. */
function aBank(result: 'connected' | 'refused' | 'unavailable' | 'started', meanwhile = async (_: string) => {}) {
  let asked = 0;
  const processor: BankConnector & ConnectionStarter = {
    async connectBank({ session }) {
      asked += 1;
      await meanwhile(session.sessionId);
      return result === 'connected'
        ? { result, bankAccount, processorAccount: 'account_1' }
        : { result: result === 'refused' ? result : 'unavailable' };
    },
    async startConnection({ session }) {
      asked += 1;
      await meanwhile(session.sessionId);
      return result === 'started' ? { result, connectionId: 'connection_1', client } : { result: 'unavailable' };
    },
  };
  return { processor, asked: () => asked };
}

const steps = {
  connecting: (processor: BankConnector & ConnectionStarter, holder: LinkHolder) =>
    connectBank({ database, processor }, { ...holder, signIn: undefined }, now),
  starting: (processor: BankConnector & ConnectionStarter, holder: LinkHolder) =>
    startBankConnection({ database, processor }, holder, now),
};

describe.each([
  ['connecting', 'connected'],
  ['starting', 'started'],
] as const)('%s a bank', (step, success) => {
  const attempt = async (bank: ReturnType<typeof aBank>, { sessionId }: Session, holder = practice) =>
    steps[step](bank.processor, { session: await getExistingSession(database, sessionId), practice: holder });

  it('opens the session and counts nothing if the bank is unavailable', async () => {
    const session = await storeSession(database);
    expect(await problemOf(attempt(aBank('unavailable'), session))).toMatchObject(unavailable);
    const row = await getExistingSession(database, session.sessionId);
    expect(row).toMatchObject({ openedAt: '2026-11-20T10:00:00.000Z', bankConnectionAttempts: 0 });
    expect(row).not.toHaveProperty('pickerStarts');
  });

  it.each<[string, Partial<Session>, Partial<Practice>, string]>([
    ['of a suspended practice', {}, suspended, 'practice_suspended'],
    ['that has expired', { expiresAt: '2026-11-20T10:00:00.000Z' }, {}, 'session_expired'],
    ['that was paid', { status: 'succeeded' }, {}, 'session_closed'],
    ['whose five attempts are used up', { bankConnectionAttempts: 5 }, {}, 'bank_connection_locked'],
  ])('does not ask the bank in a session %s', async (_, state, settings, code) => {
    const session = await storeSession(database, { openedAt: '2026-11-20T09:59:00.000Z', ...state });
    const bank = aBank(success);
    expect(await problemOf(attempt(bank, session, aPractice(settings)))).toMatchObject({ code });
    expect(bank.asked()).toBe(0);
  });

  it('that meets the expiration is refused as expired, and stores nothing', async () => {
    const session = await storeSession(database, { openedAt: '2026-11-20T09:59:00.000Z' });
    const bank = aBank(success, (sessionId) => expireAt(database, sessionId, now));
    expect(await problemOf(attempt(bank, session))).toMatchObject({ code: 'session_expired' });
    const row = await getExistingSession(database, session.sessionId);
    for (const name of ['bankAccount', 'bankConnectionId', 'pickerStarts']) expect(row).not.toHaveProperty(name);
  });

  it('works with the last attempt that is left', async () => {
    const session = await storeSession(database, { bankConnectionAttempts: 4, pickerStarts: 19 });
    await attempt(aBank(success), session);
    const row = await getExistingSession(database, session.sessionId);
    expect(row).toMatchObject(
      step === 'connecting'
        ? { bankAccount, processorAccount: 'account_1', payee: payeeOf(practice), bankConnectedAt: row.openedAt }
        : { bankConnectionId: 'connection_1', pickerStarts: 20 },
    );
  });
});

it('a refused sign-in is counted, and says how many are left', async () => {
  const session = await storeSession(database, { bankConnectionAttempts: 3 });
  const refused = await problemOf(steps.connecting(aBank('refused').processor, { session, practice }));
  expect(refused).toMatchObject({ code: 'bank_connection_failed', extra: { attemptsRemaining: 1 } });
  expect(await getExistingSession(database, session.sessionId)).toMatchObject({ bankConnectionAttempts: 4 });
});

it('a sign-in that is refused when the session has expired says that instead', async () => {
  const session = await storeSession(database, { openedAt: '2026-11-20T09:59:00.000Z' });
  const bank = aBank('refused', (sessionId) => expireAt(database, sessionId, now));
  expect(await problemOf(steps.connecting(bank.processor, { session, practice }))).toMatchObject({
    code: 'session_expired',
  });
});

it('the picker starts twenty times: then the link is locked, but the bank of the last start can be connected', async () => {
  const session = await storeSession(database, { pickerStarts: 20 });
  const bank = aBank('started');
  expect(await problemOf(steps.starting(bank.processor, { session, practice }))).toMatchObject({
    code: 'bank_connection_locked',
  });
  expect(bank.asked()).toBe(0);
  expect(await steps.connecting(aBank('connected').processor, { session, practice })).toMatchObject({ bankAccount });
});
