import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { second } from '../../functions/domain/time.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { author } from '../support/author.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import type { Disturb } from '../support/permissions.ts';

let disturb: Disturb = () => undefined;
let service: TestStack;
beforeAll(async () => {
  service = await startTestStack({ disturb: (request) => disturb(request) });
});
afterAll(() => service.stop());
beforeEach(() => {
  disturb = () => undefined;
});

const body = JSON.stringify({
  invoiceId: 'INV-1',
  amountCents: 900,
  patient: { firstName: 'Ada', lastName: 'Okafor' },
});
const create = () => service.sessionsApi('POST', '', { body, headers: { 'idempotency-key': 'order-1' } });

/** A function's first requests of one kind. */
function first(count: number, caller: string, operation: string, disturbance: ReturnType<Disturb>): () => number {
  let seen = 0;
  disturb = (request) => {
    if (!request.caller.includes(caller) || request.operation !== operation) return undefined;
    seen += 1;
    return seen <= count ? disturbance : undefined;
  };
  return () => seen;
}

describe('the practice API, while DynamoDB', () => {
  it.each(['throttled', 'cancelled'] as const)(
    'answers that a transaction is %s, retries, then asks to come back in 2 seconds',
    async (disturbance) => {
      first(Infinity, 'CreateSession', 'TransactWriteItems', disturbance);
      const answer = await create();
      expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable', status: 503 } });
      expect(answer.headers.get('retry-after')).toBe('2');
    },
  );

  it('is throttled for a moment, answers as usual', async () => {
    const seen = first(3, 'CreateSession', 'TransactWriteItems', 'cancelled');
    expect(await create()).toMatchObject({ status: 201 });
    expect(seen()).toBe(4);
  });

  it('does not answer, answers before it times out', { timeout: 30_000 }, async () => {
    const { sessionId } = await service.createSession();
    // Loads the function.
    await service.client.sessions.get(sessionId);
    first(Infinity, 'GetSessionStatus', 'GetItem', 'silent');
    const startedAt = performance.now();
    expect(await service.sessionsApi('GET', `/${sessionId}/status`)).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable' },
    });
    expect(performance.now() - startedAt).toBeLessThan(10 * second);
  });

  it("cannot record a key's use, answers as usual", async () => {
    const { practiceId } = service.practice;
    const { apiKey } = await addKey(service.operated, { author, practiceId, name: 'new' }, Date.now());
    const seen = first(Infinity, 'ListSessions', 'UpdateItem', 'throttled');
    expect(await service.answerTo(apiKey)).toBe('accepted');
    expect(seen()).toBeGreaterThan(0);
  });
});

describe('a patient whose authorization was written, but not answered', () => {
  const authorizationWritten = async (lost: number) => {
    const { patient, sessionId } = await service.connect('user_good');
    const seen = first(lost, 'AuthorizePayment', 'TransactWriteItems', 'unanswered');
    return { patient, sessionId, answer: await patient.authorize(), seen };
  };

  it('is answered after the same transaction was repeated', async () => {
    const { answer, seen, sessionId } = await authorizationWritten(1);
    expect(answer).toMatchObject({ status: 200, body: { status: 'processing' } });
    expect(seen()).toBe(2);
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
  });

  it('sees the payment in process when the page asks again, and pays once', async () => {
    const { answer, patient, sessionId } = await authorizationWritten(3);
    expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
    expect(await patient.authorize()).toMatchObject({ status: 409, body: { code: 'session_closed' } });
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(['processing', 'succeeded']);
  });
});
