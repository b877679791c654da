import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startLiveStack, type LiveStack } from '../support/live-stack.ts';

let service: LiveStack;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'payment-live-payments-'));
  service = await startLiveStack({ dataDir });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true });
});

/** The logs of every function. */
async function logLines(): Promise<string[]> {
  const logs = join(dataDir, 'logs');
  const texts = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n'));
}

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
  expect(await service.client.sessions.cancel(sessionId)).toMatchObject({ status: 'cancelled' });
  expect(await service.stripe.control.find(data.object.id)).toMatchObject({ status: 'canceled' });
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
});

test('a session for less than the processor debits is not created', async () => {
  const session = { invoiceId: 'INV-small', amountCents: 49, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  await expect(service.client.sessions.create(session)).rejects.toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer: '/amountCents', code: 'out_of_range', minimum: 50 }],
  });
});

test('a debit that the bank already has cannot be canceled', async () => {
  const { sessionId } = await service.payAt('cancel_refused');
  await intentOf(sessionId);
  const { sessions } = service.client;
  await expect(sessions.cancel(sessionId)).rejects.toMatchObject({ status: 409, code: 'payment_not_voidable' });
  expect(await sessions.get(sessionId)).toMatchObject({ status: 'processing' });
});

test.each([
  ['success', ['processing', 'succeeded'], {}],
  ['insufficient_funds', ['processing', 'failed'], { failure: { code: 'insufficient_funds', achReturnCode: 'R01' } }],
  ['account_closed', ['processing', 'failed'], { failure: { code: 'account_closed', achReturnCode: 'R02' } }],
  [
    'debit_not_authorized',
    ['processing', 'failed'],
    { failure: { code: 'debit_not_authorized', achReturnCode: 'R10' } },
  ],
  ['processor_error', ['processing', 'failed'], { failure: { code: 'processor_error' } }],
  ['account_unusable', ['processing', 'failed'], { failure: { code: 'account_closed' } }],
  ['unconfirmable', ['processing', 'failed'], { failure: { code: 'processor_error' } }],
  ['needs_deposits', ['processing', 'failed'], { failure: { code: 'processor_error' } }],
  ['late_return', ['processing', 'succeeded', 'returned'], { return: { code: 'insufficient_funds' } }],
])('the practice learns the outcome of a debit at the bank %s', async (bank, steps, facts) => {
  const { sessionId } = await service.payAt(bank);
  const last = await service.receiver.waitFor(`session.payment.${steps.at(-1)}`, sessionId);
  await expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(steps);
  expect(last.event.data).toMatchObject(facts);
});

test('notifications that come twice and in the wrong order change nothing', async () => {
  await service.stripe.control.notify({ deliver: 'twice' });
  const twice = await service.payAt('late_return');
  await service.receiver.waitFor('session.payment.returned', twice.sessionId);
  await service.stripe.control.notify({ deliver: 'reversed' });
  const reversed = await service.payAt('insufficient_funds');
  await service.receiver.waitFor('session.payment.failed', reversed.sessionId);
  await service.stripe.control.notify({ deliver: 'once' });
  await expect.poll(() => service.receiver.stepsOf(twice.sessionId)).toEqual(['processing', 'succeeded', 'returned']);
  await expect.poll(() => service.receiver.stepsOf(reversed.sessionId)).toEqual(['processing', 'failed']);
});

test('a bank that Stripe cannot reach connects nothing', async () => {
  const { connection } = await service.connectAt('bank_down');
  expect(connection.status).toBe(422);
});

test.each(['invalid_request', 'forbidden', 'incomplete_answer'] as const)(
  'a bank step that Stripe answers with %s asks the patient to come back, and is counted as our fault',
  async (kind) => {
    await service.stripe.control.fault(kind, { operation: 'PostPaymentMethods' });
    const { connection, sessionId } = await service.connectAt('success');
    expect(connection).toMatchObject({ status: 503, body: { code: 'bank_unavailable' } });
    await vi.waitFor(async () => {
      const line = (await logLines()).find((each) => each.includes(sessionId) && each.includes('"ERROR"'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ RejectedProcessorCalls: 1 });
    }, 20_000);
  },
);

test('every request matched what Stripe publishes', async () => {
  expect((await service.stripe.control.read()).problems).toEqual([]);
});
