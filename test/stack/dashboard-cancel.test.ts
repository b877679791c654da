import { expect, it } from 'vitest';
import { ticketGrace } from '../../functions/domain/due.ts';
import { hour } from '../../functions/domain/time.ts';
import { requestCancellation } from '../../functions/store/sessions/cancellations.ts';
import { getSandboxDebit } from '../../functions/store/payments/sandbox-debits.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import { putAuthorizedSession } from './stranded.ts';

let service: TestPractice;
let database: TestDatabase;
let staff: DashboardUser;
onStack.beforeAll(async ({ own }) => {
  service = own;
  database = databaseOf(own.stack);
  staff = await dashboardUser(own, { practiceId: own.practice.practiceId, role: 'staff' });
});

const cancelInDashboard = (sessionId: string) =>
  staff.call('cancelSession', { practiceId: service.practice.practiceId, sessionId });

/** The bank has no debit of it, and nobody will submit one in this test. */
const unsubmitted = () => putAuthorizedSession(service, database, Date.now() + hour);

it('staff cancel a payment whose debit the bank can still void', async () => {
  const { sessionId } = await service.pay('user_stuck');
  await service.receiver.waitFor('session.payment.processing', sessionId);
  expect(await cancelInDashboard(sessionId)).toMatchObject({ status: 200 });
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
  expect(await getSandboxDebit(database, sessionId)).toHaveProperty('voidedAt');
});

it.each([
  ['in the dashboard', async (sessionId: string) => (await cancelInDashboard(sessionId)).status],
  ['with the API', async (sessionId: string) => (await service.sessionsApi('POST', `/${sessionId}/cancel`)).status],
] as const)('a payment that is cancelled %s before its debit is submitted can never be debited', async (_, cancel) => {
  const { sessionId } = await unsubmitted();
  expect(await cancel(sessionId)).toBe(200);
  expect(await getSandboxDebit(database, sessionId)).toMatchObject({ voidedAt: expect.any(String) as string });
});

it('a payment that waits for its cancellation is cancelled when the sandbox is asked to go on with it', async () => {
  const { sessionId } = await unsubmitted();
  await requestCancellation(database, sessionId, Date.now() + hour);
  await service.client.sandbox.advance(sessionId).catch(() => undefined);
  expect(await service.client.sessions.get(sessionId)).toMatchObject({ status: 'cancelled' });
});

it('the sweep finishes a cancellation that nobody finished, and the bank voids the debit', async () => {
  const { sessionId } = await service.pay('user_stuck');
  await service.receiver.waitFor('session.payment.processing', sessionId);
  await expect.poll(() => getSandboxDebit(database, sessionId)).toHaveProperty('debit');
  await requestCancellation(database, sessionId, Date.now() - ticketGrace);
  await service.stack.fireSchedules();
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
  expect(await getSandboxDebit(database, sessionId)).toHaveProperty('voidedAt');
});
