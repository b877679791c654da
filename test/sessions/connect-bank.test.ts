import { describe, expect, it } from 'vitest';
import type { BankConnector } from '../../functions/processors/processor.ts';
import { sandboxConnector } from '../../functions/processors/sandbox/processor.ts';
import { connectBank } from '../../functions/sessions/connect-bank.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
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
    // Its bank answers when all the guesses were counted.
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
