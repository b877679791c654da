import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableWebhook, enableWebhook, listWebhooks, replay, resend, showDeliveries, testWebhook } from '../../bin/practice/webhook-commands.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
let endpoint: { practice: string; endpoint: string };
beforeAll(async () => {
  service = await startTestStack();
  endpoint = { practice: service.practice.practiceId, endpoint: service.practice.endpointId };
});
afterAll(() => service.stop());

/** The delivery of an event once it has had so many attempts; long before the minute's sweep would make one. */
async function delivered(eventId: string, attempts: number) {
  for (const deadline = Date.now() + 8_000; Date.now() < deadline; await wait(20)) {
    const { deliveries } = await showDeliveries(service.operated, endpoint, Date.now());
    const found = deliveries.find((delivery) => delivery.eventId === eventId);
    if (found?.attempts.length === attempts) return found;
  }
  throw new Error(`no attempt ${attempts} of ${eventId}`);
}

describe('the operator', () => {
  it('has a test sent at once', async () => {
    const { eventId } = await testWebhook(service.operated, endpoint, Date.now());
    // The receiver of these tests knows webhooks of sessions only.
    expect(await delivered(eventId, 1)).toMatchObject({ eventType: 'webhook.test', status: 'failed', attempts: [{ attemptNumber: 1, statusCode: 400 }] });
  });

  it('has one event sent anew at once, under the same id', async () => {
    const { sessionId } = await service.createSession();
    await fetch(`${service.apiUrl}/api/practice/sessions/${sessionId}/cancel`, { method: 'POST', headers: { authorization: `Bearer ${service.practice.apiKey}` } });
    const first = await service.receiver.waitFor('session.payment.cancelled', sessionId);
    const { id } = first.event;
    await delivered(id, 1);
    service.receiver.received.length = 0;
    await resend(service.operated, { ...endpoint, event: id }, Date.now());
    const again = await service.receiver.waitFor('session.payment.cancelled', sessionId, 8_000);
    expect(again.headers['webhook-id']).toBe(id);
    expect(again.body).toBe(first.body);
    expect(await delivered(id, 2)).toMatchObject({ status: 'delivered' });
  });

  it('is told what is wrong with an endpoint, an event or a date', async () => {
    const now = Date.now();
    await expect(testWebhook(service.operated, { ...endpoint, endpoint: 'whe_none' }, now)).rejects.toThrow('This practice has no such webhook endpoint.');
    await expect(resend(service.operated, { ...endpoint, event: 'evt_none' }, now)).rejects.toThrow('This endpoint has no delivery of such an event.');
    await expect(replay(service.operated, { ...endpoint, since: 'yesterday' }, now)).rejects.toThrow('Give --since as a date');
    await expect(replay(service.operated, { ...endpoint, since: '0' }, now)).rejects.toThrow('Give --since as a date');
    await expect(replay(service.operated, { ...endpoint, since: new Date(now + 1).toISOString() }, now)).rejects.toThrow('a date that is past');
    await expect(listWebhooks(service.operated, { practice: 'prc_none' })).rejects.toThrow('There is no practice with this id.');
  });

  it('is told how far back a replay goes', async () => {
    const now = Date.now();
    expect(await replay(service.operated, { ...endpoint, since: '2020-01-01' }, now)).toMatchObject({ since: new Date(now - 14 * 86_400_000).toISOString(), more: false });
  });

  it('has nothing sent to an endpoint that is turned off, and loses nothing by trying', async () => {
    const { deliveries } = await showDeliveries(service.operated, endpoint, Date.now());
    const delivered = deliveries.find(({ status }) => status === 'delivered');
    await disableWebhook(service.operated, endpoint, Date.now());
    const off = 'This endpoint is turned off: nothing would be sent.';
    await expect(testWebhook(service.operated, endpoint, Date.now())).rejects.toThrow(off);
    await expect(resend(service.operated, { ...endpoint, event: delivered?.eventId ?? '' }, Date.now())).rejects.toThrow(off);
    await expect(replay(service.operated, { ...endpoint, since: '2026-01-01' }, Date.now())).rejects.toThrow(off);
    expect((await showDeliveries(service.operated, endpoint, Date.now())).deliveries).toEqual(deliveries);
    await enableWebhook(service.operated, endpoint);
  });
});
