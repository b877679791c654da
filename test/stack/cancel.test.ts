import { describe, expect, it } from 'vitest';
import { second, toIso } from '../../functions/domain/time.ts';
import { author, createPractice } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import { databaseOf } from '../support/tables.ts';
import { putSession } from './stranded.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

const cancel = (sessionId: string) => service.client.sessions.cancel(sessionId);
const cancelOnce = (sessionId: string, idempotencyKey: string) =>
  service.client.sessions.cancel(sessionId, { idempotencyKey });

describe('cancelling', () => {
  it('ends a pending session, is announced and shown, and cannot be repeated', async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    const answer = await cancel(sessionId);
    expect(answer).toEqual({ sessionId, status: 'cancelled', cancelledAt: expect.any(String) as string });
    const { event } = await service.receiver.waitFor('session.payment.cancelled', sessionId);
    expect(event).toMatchObject({
      created_at: answer.cancelledAt,
      data: { previousStatus: 'pending', cancellation: { reason: 'requested_by_practice' } },
    });
    expect((await patientOf(hostedUrl).view()).body).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'requested_by_practice' },
    });
    await expect(cancel(sessionId)).rejects.toMatchObject({
      status: 409,
      code: 'session_not_cancellable',
      sessionStatus: 'cancelled',
    });
  });

  it.each([
    ['no body', {}],
    ['an empty object', { body: '{}' }],
    ['any text', { body: 'whatever', headers: { 'content-type': 'text/plain' } }],
  ] as const)('accepts %s', async (_, request) => {
    const { sessionId } = await service.createSession();
    expect((await service.sessionsApi('POST', `/${sessionId}/cancel`, request)).status).toBe(200);
  });

  it('ends a processing session whose debit the bank can still void', async () => {
    const { sessionId } = await service.pay('user_stuck');
    await service.receiver.waitFor('session.payment.processing', sessionId);
    expect(await cancel(sessionId)).toMatchObject({ status: 'cancelled' });
    expect((await service.receiver.waitFor('session.payment.cancelled', sessionId)).event.data).toMatchObject({
      previousStatus: 'processing',
      sequence: 2,
    });
  });

  it('is refused once the bank has sent the debit, and leaves the session processing', async () => {
    const { sessionId } = await service.pay('user_sent');
    await service.receiver.waitFor('session.payment.processing', sessionId);
    await expect(cancel(sessionId)).rejects.toMatchObject({ status: 409, code: 'payment_not_voidable' });
    expect(await service.client.sessions.get(sessionId)).toMatchObject({ status: 'processing' });
  });

  it('is refused for a session that is paid or expired', async () => {
    const { sessionId } = await service.createSession();
    await service.client.sandbox.simulate(sessionId, 'user_good');
    await expect(cancel(sessionId)).rejects.toMatchObject({
      status: 409,
      code: 'session_not_cancellable',
      sessionStatus: 'succeeded',
    });
    const database = databaseOf(service.stack);
    const expired = await putSession(service, database, { expiresAt: toIso(Date.now() - second) });
    await expect(cancel(expired.sessionId)).rejects.toMatchObject({
      status: 409,
      code: 'session_not_cancellable',
      sessionStatus: 'cancelled',
    });
  });

  it('succeeds for one of two requests at the same time', async () => {
    const { sessionId } = await service.createSession();
    const answers = await Promise.allSettled([cancel(sessionId), cancel(sessionId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = answers.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { status: 409, code: 'session_not_cancellable' } });
  });

  it('is repeated safely with an idempotency key', async () => {
    const { sessionId } = await service.createSession();
    const key = `cancel-${sessionId}`;
    const send = () => service.sessionsApi('POST', `/${sessionId}/cancel`, { headers: { 'idempotency-key': key } });
    const first = await send();
    expect(first).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const again = await send();
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await service.createSession();
    await expect(cancelOnce(other.sessionId, key)).rejects.toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
    expect(await service.client.sessions.get(other.sessionId)).toMatchObject({ status: 'pending' });
  });

  it('gives 20 concurrent requests with one key the same answer, and sends one webhook', async () => {
    const { sessionId } = await service.pay('user_stuck');
    await service.receiver.waitFor('session.payment.processing', sessionId);
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancelOnce(sessionId, `twins-${sessionId}`)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 'cancelled' });
    expect((await service.receiver.waitFor('session.payment.cancelled', sessionId)).event.data).toMatchObject({
      sequence: 2,
    });
  });

  it('does not use up its key when it is refused', async () => {
    const [sent, open] = [await service.pay('user_sent'), await service.createSession()];
    await service.receiver.waitFor('session.payment.processing', sent.sessionId);
    const key = `refused-${sent.sessionId}`;
    await expect(cancelOnce(sent.sessionId, key)).rejects.toMatchObject({ code: 'payment_not_voidable' });
    expect(await cancelOnce(open.sessionId, key)).toMatchObject({ status: 'cancelled' });
  });

  it('refuses a key that is too long', async () => {
    const { sessionId } = await service.createSession();
    await expect(cancelOnce(sessionId, 'x'.repeat(256))).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: 'Idempotency-Key' }],
    });
  });

  it('does not reach the session of another practice', async () => {
    const { sessionId } = await service.createSession();
    const { apiKey } = await createPractice(service.operated, { author, name: 'Other Practice' }, Date.now());
    await expect(service.clientOf(apiKey).sessions.cancel(sessionId)).rejects.toMatchObject({
      status: 404,
      code: 'session_not_found',
    });
  });
});
