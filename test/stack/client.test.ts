import { describe, expect, it } from 'vitest';
import { createPaymentClient, eventOf } from '../../web/client/index.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { waitUntilIdle } from '../support/table-contents.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

/** The service accepts every request, but its first two responses are lost. */
function clientThatMissesAnswers() {
  let lost = 0;
  const { apiUrl, practice } = service;
  return createPaymentClient({
    apiUrl,
    apiKey: practice.apiKey,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if ((lost += 1) <= 2) throw new TypeError('the answer got lost');
      return response;
    },
  });
}

describe('a client whose answers get lost', () => {
  it('creates one session', async () => {
    const patient = { firstName: 'Ada', lastName: 'Okafor' };
    const session = { invoiceId: 'INV-lost', amountCents: 18_250, patient };
    const { sessionId } = await clientThatMissesAnswers().sessions.create(session);
    const { data } = await service.client.sessions.listPage({ invoiceId: 'INV-lost' });
    expect(data.map((each) => each.sessionId)).toEqual([sessionId]);
  });

  it('cancels a session, and is told so', async () => {
    const { sessionId } = await service.createSession();
    expect(await clientThatMissesAnswers().sessions.cancel(sessionId)).toMatchObject({ status: 'cancelled' });
    await service.receiver.waitFor('session.payment.cancelled', sessionId);
    await waitUntilIdle(service.stack, service.practice.practiceId);
    expect(service.receiver.stepsOf(sessionId)).toEqual(['cancelled']);
  });
});

describe('a client', () => {
  it('finds in the list of events what its receiver got', async () => {
    const { sessionId } = await service.createSession();
    expect(await service.client.sandbox.simulate(sessionId, 'user_good')).toMatchObject({ status: 'succeeded' });
    const received = await service.receiver.waitFor('session.payment.succeeded', sessionId);
    const events = [];
    for await (const event of service.client.events.list({ sessionId })) events.push(eventOf(event));
    expect(events.map(({ type }) => type)).toEqual(['session.payment.succeeded', 'session.payment.processing']);
    expect(events[0]).toEqual(received.event);
  });
});
