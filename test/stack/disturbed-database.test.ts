import { afterAll, describe, expect, it } from 'vitest';
import { addKey } from '../../functions/practices/keys.ts';
import { author } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import type { Disturb } from '../support/permissions.ts';

/** Each handles only its own requests, so these tests can run at once. */
const disturbances: Disturb[] = [];
let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
  service.disturb((request) => disturbances.map((each) => each(request)).find((each) => each !== undefined));
});
afterAll(() => service.disturb(() => undefined));

function create(invoiceId: string) {
  const body = JSON.stringify({ invoiceId, amountCents: 900, patient: { firstName: 'Ada', lastName: 'Okafor' } });
  return service.sessionsApi('POST', '', { body, headers: { 'idempotency-key': invoiceId } });
}

/** A function's first requests of one kind that mention something. */
function first(
  count: number,
  [caller, operation]: readonly [caller: string, operation: string],
  mentioned: string,
  disturbance: ReturnType<Disturb>,
): () => number {
  let seen = 0;
  disturbances.push((request) => {
    if (!request.caller.includes(caller) || request.operation !== operation) return undefined;
    if (!request.input.includes(mentioned)) return undefined;
    seen += 1;
    return seen <= count ? disturbance : undefined;
  });
  return () => seen;
}

describe.concurrent('the practice API, while DynamoDB', () => {
  it.each(['throttled', 'cancelled'] as const)(
    'answers that a transaction is %s, retries, then asks to come back in 2 seconds',
    async (disturbance) => {
      first(Infinity, ['CreateSession', 'TransactWriteItems'], `INV-${disturbance}`, disturbance);
      const answer = await create(`INV-${disturbance}`);
      expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable', status: 503 } });
      expect(answer.headers.get('retry-after')).toBe('2');
    },
  );

  it('is throttled for a moment, answers as usual', async () => {
    const seen = first(3, ['CreateSession', 'TransactWriteItems'], 'INV-moment', 'cancelled');
    expect(await create('INV-moment')).toMatchObject({ status: 201 });
    expect(seen()).toBe(4);
  });

  it('does not answer, answers before it times out', async () => {
    const { sessionId } = await service.createSession();
    // This loads the function.
    await service.client.sessions.get(sessionId);
    first(Infinity, ['GetSessionStatus', 'GetItem'], '', 'silent');
    expect(await service.sessionsApi('GET', `/${sessionId}/status`)).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable' },
    });
  });

  it("cannot record a key's use, answers as usual", async () => {
    const { practiceId } = service.practice;
    const { apiKey } = await addKey(service.operated, { author, practiceId, name: 'new' }, Date.now());
    const seen = first(Infinity, ['ListSessions', 'UpdateItem'], '', 'throttled');
    expect(await service.answerTo(apiKey)).toBe('accepted');
    expect(seen()).toBeGreaterThan(0);
  });
});

describe.concurrent('a patient whose authorization was written, but not answered', () => {
  const authorizationWritten = async (lost: number) => {
    const { patient, sessionId } = await service.connect('user_good');
    const seen = first(lost, ['AuthorizePayment', 'TransactWriteItems'], sessionId, 'unanswered');
    return { patient, sessionId, answer: await patient.authorize(), seen };
  };

  it('is answered after the same transaction was repeated', async () => {
    const { answer, seen, sessionId } = await authorizationWritten(1);
    expect(answer).toMatchObject({ status: 200, body: { status: 'processing' } });
    expect(seen()).toBe(2);
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
  });

  it('sees the payment in process when the page asks again, and pays once', async ({ expect }) => {
    const { answer, patient, sessionId } = await authorizationWritten(3);
    expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
    expect(await patient.authorize()).toMatchObject({ status: 409, body: { code: 'session_closed' } });
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(['processing', 'succeeded']);
  });
});
