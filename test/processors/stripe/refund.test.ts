import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ChargeType } from '../../../functions/domain/payments/debit.ts';
import { sessionEventId } from '../../../functions/domain/webhooks/event.ts';
import { getEvent } from '../../../functions/store/webhooks/events.ts';
import type { FaultKind } from '../../../lib/local/stripe/faults.ts';
import { silences, timesOf } from '../../support/stripe.ts';
import { startLivePayments } from './live-payments.ts';

const { database, stripe, tools, pay, settle } = await startLivePayments();
const { control } = stripe;

async function aPaidSession(chargeType?: ChargeType) {
  const payment = await pay('success', chargeType);
  const { sessionId, debitId, account, current } = payment;
  await control.settle(debitId, 'success');
  await settle(sessionId);
  const { practiceId } = await current();
  const refund = (amountCents: number, refundId = randomUUID()) =>
    tools.processor.refundDebit({ sessionId, practiceId, refundId, amountCents }, Date.now());
  const fault = (kind: FaultKind) => control.fault(kind, { operation: 'PostRefunds', account, times: timesOf(kind) });
  const charge = async () => control.find((await control.find(debitId)).latest_charge);
  const refunds = async () =>
    (await control.read()).events
      .filter(({ type, data }) => type === 'refund.created' && data.object['payment_intent'] === debitId)
      .map(({ data }) => data.object);
  return { ...payment, practiceId, refund, refunds, fault, charge };
}

describe('a refund at Stripe', () => {
  it("of a direct charge is made on the practice's account, with our IDs and nothing about the patient", async () => {
    const { sessionId, practiceId, account, refund, refunds } = await aPaidSession();
    const refundId = randomUUID();
    await refund(5000, refundId);
    expect(await refunds()).toMatchObject([
      { amount: 5000, metadata: { sessionId, practiceId, refundId }, transfer_reversal: null },
    ]);
    expect(JSON.stringify(await refunds())).not.toMatch(/Ada|Okafor/);
    const { requests } = await control.read();
    expect(
      requests.filter(
        ({ operation, input }) => operation === 'PostRefunds' && input?.metadata?.['refundId'] === refundId,
      ),
    ).toMatchObject([{ account, idempotencyKey: expect.stringContaining(refundId) }]);
  });

  it("of a destination charge takes the money back from the practice's account", async () => {
    const { account, refund, charge } = await aPaidSession('destination');
    const before = await control.balance(account);
    await refund(5000);
    expect(await control.find((await charge()).transfer)).toMatchObject({ amount_reversed: 5000 });
    expect((await control.balance(account)).cents).toBe(before.cents - 5000);
  });

  it("of a destination charge that fails leaves the money on our own account, not on the practice's", async () => {
    const { sessionId, account, refund, refunds, current } = await aPaidSession('destination');
    const before = { practice: await control.balance(account), ours: await control.balance('') };
    await refund(5000);
    const [made] = await refunds();
    await control.finishRefund(made!.id, 'failed');
    await settle(sessionId);
    expect(await current()).toMatchObject({ refund: { amountCents: 0, failedCents: 5000 } });
    expect((await control.balance(account)).cents).toBe(before.practice.cents - 5000);
    expect((await control.balance('')).cents).toBe(before.ours.cents + 5000);
  });

  it.concurrent.for(silences)('that got %s is made once', async (kind, { expect }) => {
    const { refund, refunds, fault } = await aPaidSession();
    const refundId = randomUUID();
    await fault(kind);
    expect(await refund(5000, refundId)).toEqual({ result: 'unknown' });
    expect(await refund(5000, refundId)).toMatchObject({ result: 'accepted' });
    expect(await refund(5000, refundId)).toMatchObject({ result: 'accepted' });
    expect(await refunds()).toHaveLength(1);
    const { requests } = await control.read();
    const keys = requests.flatMap(({ operation, input, idempotencyKey }) =>
      operation === 'PostRefunds' && input?.metadata?.['refundId'] === refundId ? [idempotencyKey] : [],
    );
    // A request without a response may still be running: only its own key prevents a second refund.
    if (!kind.startsWith('server_error')) expect(new Set(keys).size).toBe(1);
  });

  it('is refused with its reason', async () => {
    const full = await aPaidSession();
    expect(await full.refund(18_251)).toEqual({ result: 'refused', reason: 'too_large' });
    await full.refund(18_250);
    expect(await full.refund(1)).toEqual({ result: 'refused', reason: 'too_large' });
    const disputed = await aPaidSession();
    await control.return(disputed.debitId);
    expect(await disputed.refund(100)).toEqual({ result: 'refused', reason: 'disputed' });
    const poor = await aPaidSession('destination');
    await control.payOut(poor.account);
    expect(await poor.refund(100)).toEqual({ result: 'refused', reason: 'balance_too_low' });
    const strange = await aPaidSession();
    await strange.fault('invalid_request');
    expect(await strange.refund(100)).toEqual({ result: 'refused', reason: 'other' });
    expect(await strange.refund(100)).toMatchObject({ result: 'accepted' });
  });

  it('that fails is reported, and the practice has the money again', async () => {
    const { sessionId, account, refund, refunds, charge, current } = await aPaidSession();
    const before = await control.balance(account);
    await refund(5000);
    await settle(sessionId);
    expect(await current()).toMatchObject({ sequence: 2, refund: { amountCents: 5000, pendingCents: 5000 } });
    const [made] = await refunds();
    await control.finishRefund(made!.id, 'failed');
    await settle(sessionId);
    expect(await current()).toMatchObject({
      sequence: 3,
      refund: { amountCents: 0, failedCents: 5000, status: 'failed' },
    });
    expect(await getEvent(database, sessionEventId(sessionId, 3))).toMatchObject({
      type: 'session.payment.refund_failed',
    });
    expect(await charge()).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await control.balance(account)).toEqual(before);
    expect(await refund(18_250)).toMatchObject({ result: 'accepted' });
  });
});
