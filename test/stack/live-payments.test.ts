import { afterAll, describe, expect, test, vi } from 'vitest';
import { addKey } from '../../functions/practices/keys.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { author } from '../support/create-practice.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';
import { startReceiver } from '../support/receiver.ts';
import { runCommand } from '../support/run-command.ts';
import { waitUntilIdle } from '../support/table-contents.ts';
import { databaseOf } from '../support/tables.ts';
import { patience } from '../support/until.ts';

let service: LivePractice;
onLiveStack.beforeAll(({ ownLive }) => {
  service = ownLive;
});

// Loads the functions before many tests need them at once.
test("an authorized session is one debit on the practice's own account, without the patient's name", async () => {
  const { sessionId } = await service.payAt('stays_processing', { amountCents: 12_345 });
  const { account, data } = await service.debitOf(sessionId);
  expect(account).toBe(service.depositAccountId);
  expect(data.object).toMatchObject({
    amount: 12_345,
    status: 'processing',
    payment_method_types: ['us_bank_account'],
    payment_method_options: { us_bank_account: { transaction_purpose: 'services' } },
  });
  expect(JSON.stringify(data.object)).not.toMatch(/Ada|Okafor/);
  const { requests } = await service.stripe.control.read();
  const posts = requests.filter((each) => each.account === account && each.operation.startsWith('Post'));
  expect(posts.filter(({ idempotencyKey }) => idempotencyKey === undefined)).toEqual([]);
});

describe.concurrent('a live payment', () => {
  test('a debit in processing is canceled at Stripe when the practice cancels', async ({ expect }) => {
    const { sessionId } = await service.payAt('stays_processing');
    const { data } = await service.debitOf(sessionId);
    // The cancellation looks up the debit only after this.
    const session = () => getExistingSession(databaseOf(service.stack), sessionId);
    await expect.poll(session).toHaveProperty('debit');
    expect(await service.client.sessions.cancel(sessionId)).toMatchObject({ status: 'cancelled' });
    expect(await service.stripe.control.find(data.object.id)).toMatchObject({ status: 'canceled' });
    await service.receiver.waitFor('session.payment.cancelled', sessionId);
  });

  test("the practice gets Stripe's references of a debit", async ({ expect }) => {
    const { sessionId } = await service.payAt('stays_processing');
    const { data } = await service.debitOf(sessionId);
    const { practiceId } = service.practice;
    const key = { practiceId, name: 'letters', scopes: ['authorizations:read' as const], author };
    const { sessions } = service.clientOf((await addKey(service.operated, key, Date.now())).apiKey);
    const charge = await service.stripe.control.find(String(data.object['latest_charge']));
    const { mandate } = charge.payment_method_details.us_bank_account;
    await vi.waitFor(
      async () =>
        expect(await sessions.getAuthorization(sessionId)).toMatchObject({
          payerName: 'Ada Okafor',
          references: { mandate, routingNumberLast4: '0000' },
        }),
      patience,
    );
    const staff = await dashboardUser(service, { practiceId, role: 'staff' });
    const proof = await staff.call('getEvidence', { practiceId, sessionId });
    expect(proof.body).toMatchObject({ references: { mandate } });
  });

  test('a session for less than the processor debits is not created', async ({ expect }) => {
    const session = { invoiceId: 'INV-small', amountCents: 49, patient: { firstName: 'Ada', lastName: 'Okafor' } };
    await expect(service.client.sessions.create(session)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '/amountCents', code: 'out_of_range', minimum: 50 }],
    });
  });

  test('a debit that the bank already has cannot be canceled', async ({ expect }) => {
    const { sessionId } = await service.payAt('cancel_refused');
    await service.debitOf(sessionId);
    const { sessions } = service.client;
    await expect(sessions.cancel(sessionId)).rejects.toMatchObject({ status: 409, code: 'payment_not_voidable' });
    expect(await sessions.get(sessionId)).toMatchObject({ status: 'processing' });
  });

  // Failed by the bank, refused by Stripe, and returned. Stripe's other answers are tested in `test/processors`.
  test.for([
    ['insufficient_funds', ['processing', 'failed'], { failure: { code: 'insufficient_funds', achReturnCode: 'R01' } }],
    ['account_unusable', ['processing', 'failed'], { failure: { code: 'account_closed' } }],
    ['late_return', ['processing', 'succeeded', 'returned'], { return: { code: 'insufficient_funds' } }],
  ] as const)('the practice learns the outcome of a debit at the bank %s', async ([bank, steps, facts], { expect }) => {
    const { sessionId } = await service.payAt(bank);
    const last = await service.receiver.waitFor(`session.payment.${steps.at(-1)}`, sessionId);
    await waitUntilIdle(service.stack, sessionId);
    expect(service.receiver.stepsOf(sessionId)).toEqual(steps);
    expect(last.event.data).toMatchObject(facts);
  });
});

test('a bank that Stripe cannot reach connects nothing', async () => {
  const { connection } = await service.connectAt('bank_down');
  expect(connection.status).toBe(422);
});

test('a start of the picker can be the first open, which tells an endpoint that names it', async () => {
  const { practiceId: practice } = service.practice;
  const type = 'session.payment.opened';
  const chosen = await startReceiver();
  const added = await runCommand<Record<'endpointId' | 'signingSecret', string>>(service.operated, 'add-webhook', {
    practice,
    url: chosen.url,
    events: type,
  });
  chosen.secret = added.signingSecret;
  const { sessionId } = await service.connectAt('success');
  expect((await chosen.waitFor(type, sessionId)).event).toMatchObject({ livemode: true });
  await runCommand(service.operated, 'delete-webhook', { practice, endpoint: added.endpointId });
  await chosen.stop();
});

test.each(['invalid_request', 'forbidden', 'incomplete_answer'] as const)(
  'a bank step that Stripe answers with %s asks the patient to come back, and is counted as our fault',
  async (kind) => {
    await service.stripe.control.fault(kind, { operation: 'PostPaymentMethods' });
    const { connection, sessionId } = await service.connectAt('success');
    expect(connection).toMatchObject({ status: 503, body: { code: 'bank_unavailable' } });
    await vi.waitFor(async () => {
      const line = (await service.logLines()).find((each) => each.includes(sessionId) && each.includes('"ERROR"'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ RejectedProcessorCalls: 1 });
    }, patience);
  },
);

// Not a test: it is about the requests of all tests, in any order.
afterAll(async () => {
  const { problems } = await service.stripe.control.read();
  expect(problems, 'requests that Stripe does not publish').toEqual([]);
});
