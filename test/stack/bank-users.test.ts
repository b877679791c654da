import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { sessionView } from '../../functions/contract/sessions/session-view.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { getCheckedEvidence } from '../../functions/payments/proof.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { pagesApiUrlOf } from '../support/http-request.ts';
import { patientOf } from '../support/patient.ts';
import { waitUntilIdle } from '../support/table-contents.ts';
import { databaseOf } from '../support/tables.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

/** One user for each course of a debit. The others differ in data: see `test/domain/payments/sandbox-bank.test.ts`. */
const outcomes = [
  { username: 'user_good', steps: 'processing, succeeded', shows: { status: 'succeeded' } },
  {
    username: 'user_insufficient_funds',
    steps: 'processing, failed',
    shows: { status: 'failed', failure: { code: 'insufficient_funds', achReturnCode: 'R01' } },
  },
  {
    username: 'user_processor_error',
    steps: 'processing, failed',
    shows: { status: 'failed', failure: { code: 'processor_error' } },
  },
  {
    username: 'user_late_return',
    steps: 'processing, succeeded, returned',
    shows: { status: 'succeeded', return: { code: 'insufficient_funds', achReturnCode: 'R01' } },
  },
  { username: 'user_stuck', steps: 'processing', shows: { status: 'processing' } },
];

async function progressOf(sessionId: string) {
  const { documents, tables } = databaseOf(service.stack);
  const [session, debit] = await Promise.all(
    [tables.sessions, tables.sandboxDebits].map((TableName) =>
      documents.send(new GetCommand({ TableName, Key: { sessionId }, ConsistentRead: true })),
    ),
  );
  documents.destroy();
  return {
    transitions: session?.Item?.['sequence'] as unknown,
    due: [session?.Item?.['dueAt'], debit?.Item?.['dueAt']] as unknown[],
  };
}

describe('a payment', () => {
  const invoiceOf = (username: string) => ({ invoiceId: `INV-${username}` });
  const payments = new Map<string, Awaited<ReturnType<TestPractice['pay']>>>();
  // Their outcomes arrive while the others are checked.
  beforeAll(async () => {
    for (const { username } of outcomes) payments.set(username, await service.pay(username, invoiceOf(username)));
  });

  it.each(outcomes)('of $username ends as $steps, and nothing follows', async ({ username, steps, shows }) => {
    const { sessionId, patient, payment } = payments.get(username) ?? expect.fail('not paid');
    expect(payment.status).toBe(200);
    const received = () => service.receiver.stepsOf(sessionId).join(', ');
    await expect.poll(received).toBe(steps);
    await expect
      .poll(() => progressOf(sessionId))
      .toEqual({ transitions: steps.split(', ').length, due: [undefined, undefined] });
    expect(received()).toBe(steps);
    expect(sessionView.parse((await patient.view()).body)).toMatchObject(shows);
    expect(await service.client.sessions.get(sessionId)).toMatchObject(shows);
    const last = `session.payment.${steps.split(', ').at(-1)}`;
    expect((await service.receiver.waitFor(last, sessionId)).event.data).toMatchObject(shows);

    const again = await service.pay('user_stuck', invoiceOf(username));
    const payable = steps.includes('failed') || steps.includes('returned');
    expect(again.payment.status, 'for the same invoice').toBe(payable ? 200 : 409);
  });

  it('is made once when many sessions of an invoice are authorized at the same time', async () => {
    const invoiceId = 'INV-many';
    const connected = await Promise.all(Array.from({ length: 6 }, () => service.connect('user_good', { invoiceId })));
    const answers = await Promise.all(connected.map(({ patient }) => patient.authorize()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(['payment_in_progress', 'invoice_already_paid']).toContain(body['code']);
  });

  it('uses the bank account that was connected last, with its own authorization', async () => {
    const { patient, connection } = await service.connect('user_stuck');
    const first = sessionView.parse(connection.body);
    const second = sessionView.parse((await patient.connectBank('user_good', service.practice.password)).body);
    expect(second.bankAccount).not.toEqual(first.bankAccount);
    expect(await patient.authorize(first.authorization?.id)).toMatchObject({
      status: 409,
      body: { code: 'authorization_changed' },
    });
    expect(await patient.authorize(second.authorization?.id)).toMatchObject({ status: 200 });
  });
});

describe('a bank user who cannot connect', () => {
  it('leaves the session pending, and no webhook is sent', async () => {
    const bad = await service.connect('user_bad');
    expect(bad.connection).toMatchObject({
      status: 422,
      body: { code: 'bank_connection_failed', attemptsRemaining: 4 },
    });
    const down = await service.connect('user_bank_down');
    expect(down.connection).toMatchObject({ status: 503, body: { code: 'bank_unavailable' } });
    expect((await down.patient.view()).body).toMatchObject({ status: 'pending', bankConnectionAttemptsRemaining: 5 });
    const unknown = await service.connect('somebody');
    expect(unknown.connection).toMatchObject({ status: 422 });
    const sessionIds = [bad, down, unknown].map(({ sessionId }) => sessionId);
    await waitUntilIdle(service.stack, ...sessionIds);
    for (const sessionId of sessionIds) expect(service.receiver.stepsOf(sessionId)).toEqual([]);
  });
});

test.each([
  ['sandbox_bank', { status: 200 }],
  ['unavailable_bank', { status: 503, body: { code: 'bank_unavailable' } }],
  ['a_real_bank', { status: 400, body: { code: 'invalid_request' } }],
])('the right sign-in at %s is answered %o', async (bank, answer) => {
  const { hostedUrl } = await service.createSession();
  const patient = patientOf(hostedUrl);
  expect(await patient.connectBank('user_good', service.practice.password, bank)).toMatchObject(answer);
  expect((await patient.view()).body['bankConnectionAttemptsRemaining']).toBe(5);
});

describe('the evidence', () => {
  it('is complete, and its text has the hash that the patient accepted', async () => {
    const before = Date.now();
    const { sessionId } = await service.pay('user_stuck', { invoiceId: 'INV-evidence' });
    const evidence = await getCheckedEvidence(service.operated, { sessionId });
    expect(evidence).toMatchObject({
      sessionId,
      practiceId: service.practice.practiceId,
      invoiceId: 'INV-evidence',
      amountCents: 18_250,
      locale: 'en',
      textMatchesAuthorizationId: true,
      bankAccount: { bankName: 'Sandbox Bank', accountType: 'checking' },
      sourceAddress: expect.stringMatching(/\d/) as string,
      viewerAddress: '127.0.0.1',
      userAgent: expect.stringContaining('node') as string,
    });
    expect(evidence.authorizationId).toBe(sha256(evidence.text));
    expect(evidence.templateVersion).not.toBe('');
    expect(Date.parse(evidence.authorizedAt)).toBeGreaterThan(before);
    expect(Date.parse(evidence.authorizedAt)).toBeLessThanOrEqual(Date.now());
  });

  it('names the address that the distribution saw, which nobody can bypass', async () => {
    const { sessionId, hostedUrl } = await service.connect('user_stuck');
    const token = new URL(hostedUrl).pathname.replace('/s/', '');
    const { body } = await patientOf(hostedUrl).view();
    const { id: authorizationId } = body['authorization'] as { id: string };
    const pay = (origin: string) =>
      fetch(`${origin}/api/patient/session/payment`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-viewer-address': '203.0.113.9',
          'x-origin-secret': 'guessed',
        },
        body: JSON.stringify({ authorizationAccepted: true, authorizationId }),
      });
    const around = await pay(pagesApiUrlOf(service.stack));
    expect([around.status, await around.json()]).toMatchObject([403, { code: 'wrong_host' }]);
    expect((await pay(service.hostedUrl)).status).toBe(200);
    expect(await getCheckedEvidence(service.operated, { sessionId })).toMatchObject({ viewerAddress: '127.0.0.1' });
  });

  it('exists only after a debit was authorized', async () => {
    const { sessionId } = await service.connect('user_good');
    await expect(getCheckedEvidence(service.operated, { sessionId })).rejects.toThrow('No debit was authorized');
  });
});
