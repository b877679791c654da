import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardUser } from '../support/dashboard-user.ts';
import { startLiveStack, type LiveStack } from '../support/live-stack.ts';

let service: LiveStack;
beforeAll(async () => {
  service = await startLiveStack();
}, 120_000);
afterAll(() => service.stop());

const statusOf = async (sessionId: string) => (await service.client.sessions.get(sessionId)).status;

test('a payment whose notifications are lost is settled within the hour, and the practice sees its statement', async () => {
  await service.stripe.control.notify({ deliver: 'never' });
  const { sessionId } = await service.payAt('success');
  await expect
    .poll(async () => (await service.stripe.control.read()).events.map(({ type }) => type), { timeout: 20_000 })
    .toContain('payment_intent.succeeded');
  expect(await statusOf(sessionId)).toBe('processing');
  await service.stack.fireSchedules();
  await expect.poll(() => statusOf(sessionId), { timeout: 20_000 }).toBe('succeeded');

  const { practiceId } = service.practice;
  const viewer = await dashboardUser(service, { practiceId, role: 'viewer' });
  const { status, body } = await viewer.call('getStatement', { practiceId });
  expect(status).toBe(200);
  expect(body).toMatchObject({ days: [], payouts: [], returnRates: { debits: 1 } });
});
