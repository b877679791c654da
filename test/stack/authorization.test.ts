import { expect, it } from 'vitest';
import { sha256 } from '../../functions/domain/identifier.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { succeeded } from '../support/patient.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

async function readerOf(practiceId: string) {
  const key = { practiceId, name: 'bank letters', scopes: ['authorizations:read' as const] };
  const { apiKey } = await addKey(service.operated, { ...key, author }, Date.now());
  return service.clientOf(apiKey).sessions;
}

async function paid() {
  const { sessionId, patient } = await service.connect('user_good');
  const { authorization } = succeeded(await patient.namePayer('Grace Okafor')).body as {
    authorization: { id: string; text: string };
  };
  succeeded(await patient.authorize());
  await service.receiver.waitFor('session.payment.succeeded', sessionId);
  return { sessionId, authorization };
}

it('a practice gets what it may show a bank: text, payer, account, time and references', async () => {
  const { sessionId, authorization } = await paid();
  const sessions = await readerOf(service.practice.practiceId);
  const got = await sessions.getAuthorization(sessionId);
  const { processingAt } = await service.client.sessions.get(sessionId);
  expect(got).toEqual({
    sessionId,
    invoiceId: expect.any(String) as string,
    amountCents: 18_250,
    text: authorization.text,
    locale: 'en',
    textHash: sha256(authorization.text),
    authorizedAt: processingAt,
    payerName: 'Grace Okafor',
    bankAccount: {
      bankName: 'Sandbox Bank',
      accountType: 'checking',
      last4: expect.stringMatching(/^\d{4}$/) as string,
    },
    references: {
      mandate: `mandate_sandbox_${sessionId}`,
      payment: `sandbox_${sessionId}`,
      routingNumberLast4: '0000',
    },
  });
  expect(got.textHash).toBe(authorization.id);

  const staff = await dashboardUser(service, { practiceId: service.practice.practiceId, role: 'staff' });
  const proof = await staff.call('getEvidence', { practiceId: service.practice.practiceId, sessionId });
  expect(proof.body).toMatchObject({ payerName: 'Grace Okafor', references: got.references });

  await service.client.sessions.erasePatient(sessionId);
  expect(await sessions.getAuthorization(sessionId)).toEqual(got);
});

it('a key gets it only with its own scope, which no key has by default', async () => {
  const { sessionId } = await service.createSession();
  await expect(service.client.sessions.getAuthorization(sessionId)).rejects.toMatchObject({
    status: 403,
    code: 'scope_missing',
  });
  const sessions = await readerOf(service.practice.practiceId);
  await expect(sessions.getAuthorization(sessionId)).rejects.toMatchObject({
    status: 404,
    code: 'authorization_not_found',
  });
  await expect(sessions.get(sessionId)).rejects.toMatchObject({ code: 'scope_missing' });
});

it('another practice is told that there is no such session', async () => {
  const { sessionId } = await service.pay('user_stuck');
  const stranger = await createPractice(service.operated, { author, name: 'Other Practice' }, Date.now());
  await expect((await readerOf(stranger.practiceId)).getAuthorization(sessionId)).rejects.toMatchObject({
    status: 404,
    code: 'session_not_found',
  });
});
