import { expect, it } from 'vitest';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { toIso } from '../../functions/domain/time.ts';
import { advanceSession, simulateSession } from '../../functions/sessions/simulate.ts';
import { replace } from '../../functions/store/rows.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { sandboxBank } from '../payments/banks.ts';
import { aSession, start } from '../payments/payment-run.ts';

const { database } = await startTestTables();

async function simulating() {
  const { sessionId, practice, service } = await aSession(database, sandboxBank);
  const tools = { ...service.tools, ...(sandboxBank.sandbox?.(database) ?? expect.fail('no sandbox')) };
  const source = { address: '203.0.113.9', userAgent: 'test', simulated: true } as const;
  const { practiceId } = practice;
  const simulate = (as: SandboxUser | 'expire', at = start) =>
    simulateSession(tools, { practiceId, sessionId, as, source }, at);
  const advance = async () => advanceSession(tools, await service.session(sessionId), start);
  return { sessionId, practice, service, simulate, advance };
}

it.each([
  ['user_good', 'succeeded'],
  ['user_insufficient_funds', 'failed'],
  ['user_processor_error', 'failed'],
  ['user_late_return', 'succeeded'],
  ['user_stuck', 'processing'],
  ['user_sent', 'processing'],
  ['user_bad', 'pending'],
  ['user_bank_down', 'pending'],
] as const)('a simulation as %s leaves the session %s', async (as, status) => {
  const { simulate } = await simulating();
  expect(await simulate(as)).toMatchObject({ status });
});

it('a simulated expiration ends the session now, and then it is over', async () => {
  const { simulate } = await simulating();
  const at = toIso(start + 1);
  const ended = { status: 'cancelled', cancellation: { reason: 'expired' }, expiresAt: at, cancelledAt: at };
  expect(await simulate('expire', start + 1)).toMatchObject(ended);
  const refused = await problemOf(simulate('user_good', start + 2));
  expect(refused).toMatchObject({ code: 'session_not_pending', extra: { sessionStatus: 'cancelled' } });
});

it('a session that has expired is over, although nothing has written that yet', async () => {
  const { simulate, service, sessionId } = await simulating();
  const { expiresAt } = await service.session(sessionId);
  expect(await problemOf(simulate('expire', Date.parse(expiresAt)))).toMatchObject({ code: 'session_not_pending' });
});

it('a bank has more to report until all its outcomes are advanced', async () => {
  const { simulate, advance } = await simulating();
  await simulate('user_late_return');
  expect(await advance()).toMatchObject({ status: 'succeeded', return: { code: 'insufficient_funds' } });
  expect(await problemOf(advance())).toMatchObject({ code: 'no_outcome_pending' });
});

it('a debit that waits for an advance is submitted, and succeeds with it', async () => {
  const { simulate, advance } = await simulating();
  expect(await simulate('user_sent')).toHaveProperty('debit');
  expect(await advance()).toMatchObject({ status: 'succeeded' });
});

it('a suspended practice, used-up sign-ins and a paid invoice are told to the practice, not to a patient', async () => {
  const suspended = await simulating();
  await replace(database, 'practices', { ...suspended.practice, suspendedAt: toIso(start) });
  const locked = await simulating();
  for (let attempts = 0; attempts < 5; attempts += 1) await locked.simulate('user_bad');
  const paid = await simulating();
  const { invoiceId } = await paid.service.session(paid.sessionId);
  const other = await paid.service.create(invoiceId);
  await paid.service.connectBank(other, 'user_good');
  await paid.service.authorize(other);
  for (const [code, { simulate, service, sessionId }, detail] of [
    ['practice_suspended', suspended, /resume payments/],
    ['bank_connection_locked', locked, /Create another session/],
    ['payment_in_progress', paid, /Use another invoice/],
  ] as const) {
    const problem = await problemOf(simulate('user_good'));
    expect(problem).toMatchObject({ code, message: expect.stringMatching(detail) as string });
    const left = await service.session(sessionId);
    expect([left.status, left.bankAccount]).toEqual(['pending', undefined]);
  }
});
