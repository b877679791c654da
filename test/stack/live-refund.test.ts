import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { dashboardUser } from '../support/dashboard-user.ts';
import { runCommand } from '../support/run-command.ts';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';
import { patience } from '../support/until.ts';

let service: LivePractice;
onLiveStack.beforeAll(({ ownLive }) => {
  service = ownLive;
});
afterEach(async () => {
  await service.stripe.control.clearFaults();
  await service.stripe.control.release();
});

async function aPaidSession(amountCents = 5000) {
  const { practiceId } = service.practice;
  const { sessionId } = await service.payAt('success');
  await service.receiver.waitFor('session.payment.succeeded', sessionId);
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  const body = { refundId: randomUUID(), amountCents, reason: 'Insurance paid' };
  const refundOf = async () => (await service.client.sessions.get(sessionId)).refund;
  return {
    sessionId,
    refund: () => admin.call('refundSession', { practiceId, sessionId }, body),
    becomes: (refund: object) => vi.waitFor(async () => expect(await refundOf()).toMatchObject(refund), patience),
    refundsAtStripe: async () => {
      const { events } = await service.stripe.control.read();
      const made = events.filter(({ type, data }) => type === 'refund.created' && isOf(data.object['metadata']));
      return made.map(({ data }) => data.object.id);
    },
  };

  function isOf(metadata: unknown) {
    return (metadata as { readonly refundId?: string }).refundId === body.refundId;
  }
}

test("an admin's refund is made at Stripe, pending until the bank has it, and told if it comes back", async () => {
  const { sessionId, refund, becomes, refundsAtStripe } = await aPaidSession();
  await service.stripe.control.hold();
  expect(await refund()).toMatchObject({ status: 200 });
  await becomes({ amountCents: 5000, pendingCents: 5000, status: 'pending' });
  await service.stripe.control.release();
  await becomes({ amountCents: 5000, status: 'succeeded' });
  const [made = ''] = await refundsAtStripe();
  await service.stripe.control.finishRefund(made, 'failed');
  await becomes({ amountCents: 0, failedCents: 5000, status: 'failed' });
  const { data } = await service.client.events.listPage({ sessionId });
  expect(data.map(({ type }) => type).filter((type) => type.includes('refund'))).toEqual([
    'session.payment.refund_failed',
    'session.payment.refunded',
  ]);
});

test('an invoice that was refunded in full can be paid again, until that refund fails', async () => {
  const { sessionId, refund, becomes, refundsAtStripe } = await aPaidSession(18_250);
  const { invoiceId } = await service.client.sessions.get(sessionId);
  const another = async () => {
    const patient = { firstName: 'Ada', lastName: 'Okafor' };
    return (await service.client.sessions.create({ invoiceId, amountCents: 18_250, patient })).blockedBy;
  };
  expect(await another()).toBe('invoice_already_paid');
  expect(await refund()).toMatchObject({ status: 200 });
  await becomes({ amountCents: 18_250, status: 'succeeded' });
  expect(await another()).toBeUndefined();
  const [made = ''] = await refundsAtStripe();
  await service.stripe.control.finishRefund(made, 'failed');
  await becomes({ amountCents: 0, failedCents: 18_250, status: 'failed' });
  expect(await another()).toBe('invoice_already_paid');
});

test('a refund that Stripe did not answer is pending, and made once when it is sent again', async () => {
  const { refund, becomes, refundsAtStripe } = await aPaidSession();
  await service.stripe.control.fault('server_error_after_acceptance', { operation: 'PostRefunds' });
  expect(await refund()).toMatchObject({ status: 409, body: { code: 'refund_pending' } });
  expect(await refund()).toMatchObject({ status: 200 });
  await becomes({ amountCents: 5000 });
  expect(await refundsAtStripe()).toHaveLength(1);
});

test("the operator's fee of a debit is what the practice's settings say, and a refund gives its part back", async () => {
  const { practiceId } = service.practice;
  await runCommand(service.operated, 'update', {
    practice: practiceId,
    applicationFeeCents: '30',
    applicationFeeBasisPoints: '100',
  });
  const { sessionId, refund, becomes } = await aPaidSession(9_125);
  const { data } = await service.debitOf(sessionId);
  expect(data.object['application_fee_amount']).toBe(213);
  expect(await refund()).toMatchObject({ status: 200 });
  await becomes({ amountCents: 9_125, status: 'succeeded' });
  const { requests } = await service.stripe.control.read();
  expect(requests.findLast(({ operation }) => operation === 'PostRefunds')?.input).toMatchObject({
    refund_application_fee: true,
  });
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  expect((await admin.call('getSession', { practiceId, sessionId })).body).toMatchObject({ applicationFeeCents: 213 });
  const { body } = await admin.call('getSettings', { practiceId });
  expect(body['appliedFee']).toEqual({ cents: 30, basisPoints: 100 });
});
