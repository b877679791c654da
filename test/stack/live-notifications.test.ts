import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';
import { timesOf } from '../support/stripe.ts';
import { waitUntilIdle } from '../support/table-contents.ts';
import { patience } from '../support/until.ts';

let service: LivePractice;
onLiveStack.beforeAll(({ ownLive }) => {
  service = ownLive;
});
afterEach(async () => {
  await service.stripe.control.clearFaults();
  await service.stripe.control.notify({ deliver: 'once' });
});

const statusOf = (sessionId: string) => service.client.sessions.get(sessionId);
const cancel = (sessionId: string) => service.client.sessions.cancel(sessionId);
const debitIdOf = async (sessionId: string) => (await service.debitOf(sessionId)).data.object.id;

describe("Stripe's notifications", () => {
  it.each(['twice', 'reversed'] as const)('that are sent %s become one webhook each', async (deliver) => {
    await service.stripe.control.notify({ deliver });
    const steps = {
      insufficient_funds: ['processing', 'failed'],
      late_return: ['processing', 'succeeded', 'returned'],
    };
    const told = async (bank: keyof typeof steps) => {
      const { sessionId } = await service.payAt(bank);
      await service.receiver.waitFor(`session.payment.${steps[bank].at(-1)}`, sessionId);
      await waitUntilIdle(service.stack, sessionId);
      return service.receiver.stepsOf(sessionId);
    };
    const [insufficient_funds, late_return] = await Promise.all([told('insufficient_funds'), told('late_return')]);
    expect({ insufficient_funds, late_return }).toEqual(steps);
  });

  it('of a refund show it, without a webhook', async () => {
    const { sessionId } = await service.payAt('success');
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await service.stripe.control.refund(await debitIdOf(sessionId), { amount: 5000 });
    await vi.waitFor(
      async () =>
        expect(await statusOf(sessionId)).toMatchObject({ status: 'succeeded', refund: { amountCents: 5000 } }),
      patience,
    );
    await waitUntilIdle(service.stack, sessionId);
    expect(service.receiver.stepsOf(sessionId)).toEqual(['processing', 'succeeded']);
  });
});

describe('cancelling when Stripe accepts but does not answer', () => {
  it('is pending until its notification, which cancels the session', async () => {
    const { sessionId } = await service.payAt('stays_processing');
    await debitIdOf(sessionId);
    const fault = { operation: 'PostPaymentIntentsIntentCancel', times: timesOf('dropped_after_acceptance') };
    await service.stripe.control.fault('dropped_after_acceptance', fault);
    await expect(cancel(sessionId)).rejects.toMatchObject({ status: 409, code: 'cancellation_pending' });
    await service.receiver.waitFor('session.payment.cancelled', sessionId);
    expect(await statusOf(sessionId)).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'requested_by_practice' },
    });
  });
});

describe('cancelling when Stripe cannot say', () => {
  it('stays pending, and the next call succeeds', async () => {
    const { sessionId } = await service.payAt('stays_processing');
    await debitIdOf(sessionId);
    await service.stripe.control.fault('rate_limited', { operation: 'PostPaymentIntentsIntentCancel' });
    await expect(cancel(sessionId)).rejects.toMatchObject({ status: 409, code: 'cancellation_pending' });
    expect(await statusOf(sessionId)).toMatchObject({ status: 'processing' });
    expect(await cancel(sessionId)).toMatchObject({ status: 'cancelled' });
  });
});

it('about a restricted account emails the admins', async () => {
  const { control } = service.stripe;
  await control.require(service.depositAccountId, ['company.tax_id']);
  const admins = service.dashboardUsers.filter(({ role }) => role === 'admin').map(({ email }) => email);
  const subjects = () => service.mails.filter(({ to }) => admins.includes(to)).map(({ subject }) => subject);
  const stopped = 'Payments are no longer deposited at Lakeside Family Practice';
  await expect.poll(subjects).toContain(stopped);
  await control.require(service.depositAccountId, []);
  await expect.poll(subjects).toContain('Where payments are deposited changed at Lakeside Family Practice');
  // Written after that: until then, patients cannot pay.
  await expect.poll(subjects).toContain('Patients can pay again at Lakeside Family Practice');
});

describe('rotating secrets', () => {
  it('of the key loses no payment: refused calls are repeated with the new key', async () => {
    const before = await service.payAt('success');
    await service.receiver.waitFor('session.payment.succeeded', before.sessionId);
    const secretKey = 'sk_live_rotated';
    await service.stripe.control.rotateSecretKey(secretKey);
    service.changeSecret({ secretKey });
    const { sessionId } = await service.payAt('success');
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(['processing', 'succeeded']);
  });

  it('of the signature loses no notification', async () => {
    const { webhookSecret, control } = service.stripe;
    const { sessionId } = await service.payAt('stays_processing');
    const debitId = await debitIdOf(sessionId);
    await control.sign({ platform: [webhookSecret], connect: ['whsec_rotated'] });
    service.changeSecret({ connectWebhookSecret: 'whsec_rotated' });
    await control.settle(debitId, 'success');
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(['processing', 'succeeded']);
  });
});

// Not a test: it is about the requests of all tests, in any order.
afterAll(async () => {
  const { problems } = await service.stripe.control.read();
  expect(problems, 'requests that Stripe does not publish').toEqual([]);
});
