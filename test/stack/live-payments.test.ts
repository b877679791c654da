import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startLiveStack, type LiveStack } from '../support/live-stack.ts';

let service: LiveStack;
beforeAll(async () => {
  service = await startLiveStack();
}, 120_000);
afterAll(() => service.stop());

const cancel = (sessionId: string) => service.sessionsApi('POST', `/${sessionId}/cancel`);

async function intentOf(sessionId: string) {
  return vi.waitFor(
    async () => {
      const { events } = await service.stripe.control.read();
      const event = events.findLast(
        ({ type, data }) =>
          type === 'payment_intent.processing' && JSON.stringify(data.object['metadata']).includes(sessionId),
      );
      expect(event).toBeDefined();
      return event!;
    },
    { timeout: 30_000 },
  );
}

test("an authorized session is one debit on the practice's own account, without the patient's name", async () => {
  const { sessionId } = await service.payAt('stays_processing', { amountCents: 12_345 });
  const { account, data } = await intentOf(sessionId);
  expect(account).toBe(service.depositAccountId);
  expect(data.object).toMatchObject({
    amount: 12_345,
    status: 'processing',
    payment_method_types: ['us_bank_account'],
    payment_method_options: { us_bank_account: { transaction_purpose: 'services' } },
  });
  expect(JSON.stringify(data.object)).not.toMatch(/Ada|Okafor/);
  const { requests } = await service.stripe.control.read();
  const posts = requests.filter(({ operation }) => operation.startsWith('Post'));
  expect(posts.filter(({ idempotencyKey }) => idempotencyKey === undefined)).toEqual([]);
});

test('a debit in processing is canceled at Stripe when the practice cancels', async () => {
  const { sessionId } = await service.payAt('stays_processing');
  const { data } = await intentOf(sessionId);
  expect(await cancel(sessionId)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  expect(await service.stripe.control.find(data.object.id)).toMatchObject({ status: 'canceled' });
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
});

test('a debit that the bank already has cannot be canceled', async () => {
  const { sessionId } = await service.payAt('cancel_refused');
  await intentOf(sessionId);
  expect(await cancel(sessionId)).toMatchObject({ status: 409, body: { code: 'payment_not_voidable' } });
  expect((await service.sessionsApi('GET', `/${sessionId}/status`)).body).toMatchObject({ status: 'processing' });
});

test('a bank that Stripe cannot reach connects nothing', async () => {
  const { connection } = await service.connectAt('bank_down');
  expect(connection.status).toBe(422);
});

test('every request was as Stripe publishes it', async () => {
  expect((await service.stripe.control.read()).problems).toEqual([]);
});
