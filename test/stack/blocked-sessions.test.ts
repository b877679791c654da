import { describe, expect, it, onTestFinished } from 'vitest';
import { sessionRoutes } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { updateSettings } from '../../functions/practices/settings.ts';
import { author } from '../support/create-practice.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

const statusOf = (sessionId: string) => service.client.sessions.get(sessionId);
async function blocksIn(invoiceId: string): Promise<Record<string, unknown>> {
  const { data } = await service.client.sessions.listPage({ invoiceId });
  return Object.fromEntries(data.map(({ sessionId, blockedBy }) => [sessionId, blockedBy]));
}
const create = (invoiceId: string, idempotencyKey?: string) =>
  service.createSession({ invoiceId }, idempotencyKey === undefined ? {} : { idempotencyKey });

describe('a pending session', () => {
  it('says when its invoice is being paid through another one, and when it is paid', async () => {
    const waiting = await create('INV-paid');
    expect(waiting).not.toHaveProperty('blockedBy');
    expect(await statusOf(waiting.sessionId)).not.toHaveProperty('blockedBy');

    const stuck = await service.pay('user_stuck', { invoiceId: 'INV-paid' });
    const early = await create('INV-paid', 'early');
    await service.client.sessions.cancel(stuck.sessionId);
    const paid = await service.pay('user_good', { invoiceId: 'INV-paid' });
    await service.client.sandbox.advance(paid.sessionId);
    const late = await create('INV-paid');
    expect([early, late]).toMatchObject([{ blockedBy: 'payment_in_progress' }, { blockedBy: 'invoice_already_paid' }]);

    for (const { sessionId } of [waiting, early, late])
      expect(await statusOf(sessionId)).toMatchObject({ status: 'pending', blockedBy: 'invoice_already_paid' });
    expect(await statusOf(paid.sessionId)).not.toHaveProperty('blockedBy');
    await expect
      .poll(() => blocksIn('INV-paid'))
      .toEqual({
        [waiting.sessionId]: 'invoice_already_paid',
        [early.sessionId]: 'invoice_already_paid',
        [late.sessionId]: 'invoice_already_paid',
        [stuck.sessionId]: undefined,
        [paid.sessionId]: undefined,
      });
    expect(await create('INV-paid', 'early'), 'a replay is the first answer').toEqual(early);
  });

  it('can be paid again once the other payment has failed', async () => {
    const waiting = await create('INV-failed');
    const stuck = await service.pay('user_stuck', { invoiceId: 'INV-failed' });
    expect(await statusOf(waiting.sessionId)).toMatchObject({ blockedBy: 'payment_in_progress' });
    await service.client.sessions.cancel(stuck.sessionId);
    const failed = await service.pay('user_insufficient_funds', { invoiceId: 'INV-failed' });
    await service.client.sandbox.advance(failed.sessionId);
    expect(await statusOf(waiting.sessionId)).not.toHaveProperty('blockedBy');
    expect(await create('INV-failed')).not.toHaveProperty('blockedBy');
  });

  it('says when the bank sign-ins of its link are used up, unless a bank is connected', async () => {
    const { password } = service.practice;
    const invoiceId = 'INV-locked';
    const locked = await service.connect('user_bad', { invoiceId });
    const connected = await service.connect('user_good', { invoiceId });
    expect(await statusOf(locked.sessionId)).not.toHaveProperty('blockedBy');
    for (let failure = 1; failure <= 5; failure += 1) {
      if (failure < 5) await locked.patient.connectBank('user_bad', password);
      await connected.patient.connectBank('user_bad', password);
    }
    expect(await statusOf(locked.sessionId)).toMatchObject({
      status: 'pending',
      blockedBy: 'bank_connection_locked',
    });
    expect(await statusOf(connected.sessionId)).not.toHaveProperty('blockedBy');
    expect(await blocksIn(invoiceId)).toEqual({
      [locked.sessionId]: 'bank_connection_locked',
      [connected.sessionId]: undefined,
    });
    await service.client.sessions.cancel(locked.sessionId);
    expect(await statusOf(locked.sessionId)).not.toHaveProperty('blockedBy');
  });

  it('leads from the dashboard to the session that pays its invoice', async () => {
    const { practiceId } = service.practice;
    const viewer = await dashboardUser(service, { practiceId, role: 'viewer' });
    const { sessionId } = await create('INV-dashboard');
    const paying = await service.pay('user_stuck', { invoiceId: 'INV-dashboard' });
    const { body } = await viewer.call('getSession', { practiceId, sessionId });
    expect(sessionRoutes.getSession.response.parse(body)).toMatchObject({
      session: { blockedBy: 'payment_in_progress' },
      blockingSessionId: paying.sessionId,
    });
  });
});

it('a session of a practice without the invoice guard is not blocked', async () => {
  const { practiceId } = service.practice;
  const { sessionId } = await create('INV-guard');
  await service.pay('user_stuck', { invoiceId: 'INV-guard' });
  expect(await statusOf(sessionId)).toMatchObject({ blockedBy: 'payment_in_progress' });
  const guard = (invoiceGuard: boolean) =>
    updateSettings(service.operated, { practiceId, author, invoiceGuard }, Date.now());
  await guard(false);
  onTestFinished(async () => {
    await guard(true);
  });
  expect(await statusOf(sessionId)).not.toHaveProperty('blockedBy');
  expect(await create('INV-guard')).not.toHaveProperty('blockedBy');
  expect(Object.values(await blocksIn('INV-guard'))).toEqual([undefined, undefined, undefined]);
});
