import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { replay, resend, showDeliveries, testWebhook } from '../../bin/practice/delivery-commands.ts';
import {
  addWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  placeWebhook,
  rotateSecret,
  updateWebhook,
} from '../../bin/practice/endpoint-commands.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhook-endpoint.ts';
import { getDelivery } from '../../functions/store/deliveries.ts';
import { createTestDelivery } from '../../functions/store/delivery-log.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  getWebhookEndpoint,
  rotateSigningSecret,
} from '../../functions/store/webhook-endpoints.ts';
import { startReceiver, startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
let endpoint: { practice: string; endpoint: string };
beforeAll(async () => {
  service = await startTestStack();
  endpoint = { practice: service.practice.practiceId, endpoint: service.practice.endpointId };
});
afterAll(() => service.stop());

/** The delivery of an event once it has ended after so many attempts (its row is read before them); long before the minute's sweep would make one. */
async function delivered(eventId: string, attempts: number) {
  for (const deadline = Date.now() + 8_000; Date.now() < deadline; await wait(20)) {
    const { deliveries } = await showDeliveries(service.operated, endpoint, Date.now());
    const found = deliveries.find((delivery) => delivery.eventId === eventId);
    if (found?.attempts.length === attempts && found.status !== 'pending') return found;
  }
  throw new Error(`no attempt ${attempts} of ${eventId}`);
}

describe('the operator', () => {
  it('has a test sent at once', async () => {
    const { eventId } = await testWebhook(service.operated, endpoint, Date.now());
    // The receiver of these tests knows webhooks of sessions only.
    expect(await delivered(eventId, 1)).toMatchObject({
      eventType: 'webhook.test',
      status: 'failed',
      attempts: [{ attemptNumber: 1, statusCode: 400 }],
    });
  });

  it('has one event sent anew at once, under the same id', async () => {
    const { sessionId } = await service.createSession();
    await fetch(`${service.apiUrl}/api/practice/sessions/${sessionId}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.practice.apiKey}` },
    });
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
    await expect(testWebhook(service.operated, { ...endpoint, endpoint: 'whe_none' }, now)).rejects.toThrow(
      'This practice has no such webhook endpoint.',
    );
    await expect(resend(service.operated, { ...endpoint, event: 'evt_none' }, now)).rejects.toThrow(
      'This endpoint has no delivery of such an event.',
    );
    await expect(replay(service.operated, { ...endpoint, since: 'yesterday' }, now)).rejects.toThrow(
      'Give --since as a date',
    );
    await expect(replay(service.operated, { ...endpoint, since: '0' }, now)).rejects.toThrow('Give --since as a date');
    await expect(
      replay(service.operated, { ...endpoint, since: new Date(now + 1).toISOString() }, now),
    ).rejects.toThrow('a date that is past');
    await expect(listWebhooks(service.operated, { practice: 'prc_none' })).rejects.toThrow(
      'There is no practice with this id.',
    );
  });

  it('is told how far back a replay goes', async () => {
    const now = Date.now();
    expect(await replay(service.operated, { ...endpoint, since: '2020-01-01' }, now)).toMatchObject({
      since: new Date(now - 14 * 86_400_000).toISOString(),
      more: false,
    });
  });

  it('has nothing sent to an endpoint that is turned off, and loses nothing by trying', async () => {
    const { deliveries } = await showDeliveries(service.operated, endpoint, Date.now());
    const delivered = deliveries.find(({ status }) => status === 'delivered');
    await disableWebhook(service.operated, endpoint, Date.now());
    const off = 'This endpoint is turned off: nothing would be sent.';
    await expect(testWebhook(service.operated, endpoint, Date.now())).rejects.toThrow(off);
    await expect(
      resend(service.operated, { ...endpoint, event: delivered?.eventId ?? '' }, Date.now()),
    ).rejects.toThrow(off);
    await expect(replay(service.operated, { ...endpoint, since: '2026-01-01' }, Date.now())).rejects.toThrow(off);
    expect((await showDeliveries(service.operated, endpoint, Date.now())).deliveries).toEqual(deliveries);
    await enableWebhook(service.operated, endpoint);
  });
});

const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

/** What is remembered of a server that has not answered for more than five days. */
const dead = (now: number) => ({
  failingSince: iso(now - 121 * hour),
  missedSince: iso(now - 122 * hour),
  failedAttempts: 40,
  failingToldAt: iso(now - 120 * hour),
  circuitFaults: 30,
  circuitOpenUntil: iso(now + hour),
});

/** A further endpoint of the practice, and how to have it read. */
async function anEndpoint(differences: Partial<WebhookEndpoint> = {}) {
  const { database } = service.operated;
  const made: WebhookEndpoint = {
    practiceId: service.practice.practiceId,
    endpointId: `whe_${Math.random()}`,
    url: 'https://old.example.com/',
    status: 'enabled',
    signingSecret: service.receiver.secret,
    eventTypes: ['session.payment.cancelled'],
    createdAt: iso(Date.now()),
    ...differences,
  };
  await createWebhookEndpoint(database, made);
  const named = { practice: made.practiceId, endpoint: made.endpointId };
  return {
    made,
    named,
    read: () => getWebhookEndpoint(database, made.practiceId, made.endpointId),
    remove: () => deleteWebhook(service.operated, named),
  };
}

async function aCancelledSession(): Promise<string> {
  const { sessionId } = await service.createSession();
  const { status } = await fetch(`${service.apiUrl}/api/practice/sessions/${sessionId}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.practice.apiKey}` },
  });
  expect(status).toBe(200);
  return sessionId;
}

describe('an endpoint that is moved', () => {
  it('gets its POST at once, though the circuit of the old server is open, and is not turned off by the first error of the new one', async () => {
    const { named, read, remove } = await anEndpoint(dead(Date.now()));
    const moved = await startReceiver();
    moved.secret = service.receiver.secret;
    moved.answers.push(500);
    await updateWebhook(service.operated, { ...named, url: moved.url });
    const sessionId = await aCancelledSession();
    await moved.waitFor('session.payment.cancelled', sessionId, 4_000);
    await vi.waitFor(async () => expect(await read()).toMatchObject({ failedAttempts: 1 }), 4_000);
    await moved.stop();
    expect(await read()).toMatchObject({ status: 'enabled', url: moved.url, failedAttempts: 1 });
    await remove();
  });

  it.each<[string, (named: { practice: string; endpoint: string }) => Promise<unknown>]>([
    ['by its owner', (named) => updateWebhook(service.operated, { ...named, url: 'https://new.example.com/' })],
    [
      'by the local run',
      ({ practice, endpoint: endpointId }) =>
        changeWebhookEndpoint(
          service.operated.database,
          { practiceId: practice, endpointId },
          { url: 'https://new.example.com/' },
        ),
    ],
  ])('%s forgets all of the old server, but not what is under way', async (_, move) => {
    const { made, named, read, remove } = await anEndpoint({
      ...dead(Date.now()),
      inFlight: new Set(['2026-11-20T15:00:00.000Z#evt_1']),
    });
    await move(named);
    const { failingSince, missedSince, failedAttempts, failingToldAt, circuitFaults, circuitOpenUntil, ...kept } = made;
    expect(await read()).toEqual({ ...kept, url: 'https://new.example.com/' });
    await remove();
  });

  it('is offered what the old server has missed: at once while it is on, when it is turned on while it is off', async () => {
    const trouble = dead(Date.now());
    const on = await anEndpoint(trouble);
    expect(await updateWebhook(service.operated, { ...on.named, url: 'https://new.example.com/' })).toMatchObject({
      missedSince: trouble.missedSince,
      replay: expect.stringContaining(`--since ${trouble.missedSince}`),
    });
    expect(
      await updateWebhook(service.operated, { ...on.named, url: 'https://newer.example.com/' }),
    ).not.toHaveProperty('replay');

    const off = await anEndpoint({
      ...trouble,
      status: 'disabled',
      disabledReason: 'failing',
      disabledAt: iso(Date.now()),
    });
    expect(await updateWebhook(service.operated, { ...off.named, url: 'https://new.example.com/' })).not.toHaveProperty(
      'replay',
    );
    expect(await off.read()).not.toHaveProperty('failedAttempts');
    expect(await enableWebhook(service.operated, off.named)).toMatchObject({ missedSince: trouble.missedSince });
    await on.remove();
    await off.remove();
  });
});

describe('an endpoint that is changed', () => {
  it('wants other events, or all, has other answers tried again, or not, and keeps what is not named and how its server has been', async () => {
    const { made, named, read, remove } = await anEndpoint(dead(Date.now()));
    const change = async (options: Partial<Parameters<typeof updateWebhook>[1]>) => (
      await updateWebhook(service.operated, { ...named, ...options }),
      read()
    );
    expect(await change({ retry: 'all' })).toEqual({ ...made, retriesAllFailures: true });
    expect(await change({ events: ['session.payment.succeeded', 'session.payment.failed'] })).toEqual({
      ...made,
      retriesAllFailures: true,
      eventTypes: ['session.payment.succeeded', 'session.payment.failed'],
    });
    const { eventTypes: _, ...withoutTypes } = made;
    expect(await change({ events: ['all'] })).toEqual({ ...withoutTypes, retriesAllFailures: true });
    expect(await change({ retry: 'standard' })).toEqual({ ...withoutTypes, retriesAllFailures: false });
    await remove();
  });

  it('is told what is wrong', async () => {
    const { named, remove } = await anEndpoint();
    await expect(updateWebhook(service.operated, named)).rejects.toThrow(
      'Say what to change: --url, --events or --retry.',
    );
    await expect(updateWebhook(service.operated, { ...named, url: 'https://10.0.0.5/' })).rejects.toThrow(
      'The URL must name a public host.',
    );
    await expect(updateWebhook(service.operated, { ...named, url: 'https://app.internal/' })).rejects.toThrow(
      'The URL must name a public host.',
    );
    await remove();
    await expect(updateWebhook(service.operated, { ...named, retry: 'all' })).rejects.toThrow(
      'This practice has no such webhook endpoint.',
    );
    await expect(deleteWebhook(service.operated, named)).rejects.toThrow('This practice has no such webhook endpoint.');
    expect(
      await changeWebhookEndpoint(
        service.operated.database,
        { practiceId: named.practice, endpointId: named.endpoint },
        { url: 'https://new.example.com/' },
      ),
    ).toBeUndefined();
    expect(
      await getWebhookEndpoint(service.operated.database, named.practice, named.endpoint),
      'nothing was made',
    ).toBeUndefined();
  });
});

it('an endpoint that is deleted is gone, what was pending for it ends as skipped, and the others go on', async () => {
  const { named, remove } = await anEndpoint({ url: 'https://never.example.com/' });
  const eventId = `evt_${Math.random()}`;
  await createTestDelivery(
    service.operated.database,
    { eventId, practiceId: named.practice, endpointId: named.endpoint, livemode: false },
    Date.now(),
  );
  expect(await remove()).toEqual({ endpointId: named.endpoint, status: 'deleted' });
  expect(
    (await listWebhooks(service.operated, { practice: named.practice })).endpoints.map(({ endpointId }) => endpointId),
  ).not.toContain(named.endpoint);
  await service.stack.fireSchedules();
  await vi.waitFor(
    async () =>
      expect(await getDelivery(service.operated.database, { eventId, endpointId: named.endpoint })).toMatchObject({
        status: 'skipped',
        attempts: 0,
      }),
    8_000,
  );
  await service.receiver.waitFor('session.payment.cancelled', await aCancelledSession(), 8_000);
});

it('an endpoint is listed with all that its owner may have to know, and without its secrets', async () => {
  const now = Date.now();
  const { made, named, remove } = await anEndpoint({ ...dead(now), retriesAllFailures: true });
  const { signingSecret, previousSecretExpiresAt } = await rotateSecret(service.operated, named, now);
  const answer = await listWebhooks(service.operated, { practice: named.practice });
  const { endpointId, url, eventTypes, retriesAllFailures, failingSince, failedAttempts, circuitOpenUntil } = made;
  expect(answer.endpoints).toContainEqual(
    expect.objectContaining({
      endpointId,
      url,
      eventTypes,
      retriesAllFailures,
      failingSince,
      failedAttempts,
      circuitOpenUntil,
      previousSecretExpiresAt,
    }),
  );
  for (const secret of [signingSecret, made.signingSecret]) expect(JSON.stringify(answer)).not.toContain(secret);
  await remove();
});

it('a rotation whose answer was lost, and that is written again, leaves the secret before it in its place', async () => {
  const { made, named, read, remove } = await anEndpoint();
  const change = { signingSecret: 'whsec_new', previousSecretExpiresAt: iso(Date.now() + 24 * hour) };
  const rotate = () => rotateSigningSecret(service.operated.database, named.practice, named.endpoint, change);
  const first = await rotate();
  expect(first).toMatchObject({ signingSecret: 'whsec_new', previousSigningSecret: made.signingSecret });
  expect(await rotate()).toEqual(first);
  expect(await read()).toEqual(first);
  await remove();
  expect(await rotate()).toBeUndefined();
  expect(await read(), 'nothing was made').toBeUndefined();
});

it("the local run's own endpoint is brought to its URL, or made anew where it was deleted", async () => {
  const { practice } = service;
  const { endpointId } = await addWebhook(
    service.operated,
    { practice: practice.practiceId, url: 'http://127.0.0.1:4002/' },
    Date.now(),
  );
  const place = (url: string) =>
    placeWebhook(service.operated, { practiceId: practice.practiceId, endpointId }, url, Date.now());
  expect(await place('http://127.0.0.1:5002/')).toMatchObject({ endpointId, url: 'http://127.0.0.1:5002/' });
  await deleteWebhook(service.operated, { practice: practice.practiceId, endpoint: endpointId });
  const anew = await place('http://127.0.0.1:5002/');
  expect(anew.endpointId).not.toBe(endpointId);
  expect(await getWebhookEndpoint(service.operated.database, practice.practiceId, anew.endpointId)).toMatchObject({
    url: 'http://127.0.0.1:5002/',
    signingSecret: anew.signingSecret,
  });
  await deleteWebhook(service.operated, { practice: practice.practiceId, endpoint: anew.endpointId });
});
