import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patience } from '../support/until.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

async function aPaidSession(): Promise<string> {
  const { sessionId } = await service.pay('user_good');
  await service.client.sandbox.advance(sessionId);
  return sessionId;
}

test('an admin refunds a payment once, which is pending and then given back, as software and team learn', async () => {
  const { practiceId } = service.practice;
  const sessionId = await aPaidSession();
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  const body = { refundId: randomUUID(), amountCents: 1000, reason: 'Paid twice' };
  for (const _click of [1, 2])
    expect(await admin.call('refundSession', { practiceId, sessionId }, body)).toMatchObject({
      status: 200,
      body: { sessionId, refundId: body.refundId, amountCents: 1000 },
    });
  expect(await service.client.sessions.get(sessionId)).toMatchObject({
    status: 'succeeded',
    refund: { amountCents: 1000 },
  });
  await vi.waitFor(
    async () =>
      expect((await service.client.sessions.get(sessionId)).refund).toMatchObject({
        amountCents: 1000,
        status: 'succeeded',
      }),
    patience,
  );
  const { data } = await service.client.events.listPage({ sessionId });
  expect(data.filter(({ type }) => type === 'session.payment.refunded')).toHaveLength(1);
  const log = await admin.call('listAuditLog', { practiceId });
  expect(log.text.match(/session\.refunded/g)).toHaveLength(1);
  expect(log.text).toContain('Paid twice');
  const shown = await admin.call('getSession', { practiceId, sessionId });
  expect(shown.body).toMatchObject({ refundReason: 'Paid twice' });
});

test('nobody refunds without the role, a recent sign-in, a reason, or more than was paid', async () => {
  const { practiceId } = service.practice;
  const sessionId = await aPaidSession();
  const body = { refundId: randomUUID(), amountCents: 1000, reason: 'Paid twice' };
  const staff = await dashboardUser(service, { practiceId, role: 'staff' });
  const authenticatedAt = Date.now() - 6 * minute;
  const away = await dashboardUser(service, { practiceId, role: 'admin', authenticatedAt });
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  for (const [user, sent, status, code] of [
    [staff, body, 403, 'role_too_low'],
    [away, body, 403, 'sign_in_too_old'],
    [admin, { ...body, reason: '' }, 400, 'invalid_request'],
    [admin, { ...body, reason: 'SSN 123-45-6789' }, 400, 'invalid_request'],
    [admin, { ...body, reason: 'x'.repeat(201) }, 400, 'invalid_request'],
    [admin, { ...body, amountCents: 99_999_999 }, 422, 'refund_too_large'],
  ] as const)
    expect(await user.call('refundSession', { practiceId, sessionId }, sent)).toMatchObject({ status, body: { code } });
  expect(await service.client.sessions.get(sessionId)).not.toHaveProperty('refund');
});

test('the API of practices has no refund', async () => {
  const answer = await service.sessionsApi('POST', `/${await aPaidSession()}/refund`);
  expect(answer).toMatchObject({ status: 404 });
});
