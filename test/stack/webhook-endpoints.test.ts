import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { createPlatform, joinPlatform, leavePlatform } from '../../functions/practices/platforms.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import type { NewWebhookEndpoint, PaymentClient } from '../../web/client/index.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { startReceiver } from '../support/receiver.ts';
import { startServer } from '../support/server.ts';
import { readTables } from '../support/table-contents.ts';
import { databaseOf } from '../support/tables.ts';
import { patience } from '../support/until.ts';
import { makeDeliveryDue } from './stranded.ts';

let service: TestPractice;
let vendor: { keyId: string; apiKey: string };
let endpoints: PaymentClient['webhookEndpoints'];
let signingSecret = '';
const received: { id: string; type: string }[] = [];
const receiver = createServer(async (request, response) => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = await text(request);
  try {
    received.push(new Webhook(signingSecret).verify(body, headers) as { id: string; type: string });
    response.writeHead(204).end();
  } catch {
    response.writeHead(503).end();
  }
});

onStack.beforeAll(async ({ own }) => {
  service = own;
  vendor = await keyOf(service.practice.practiceId);
  endpoints = service.clientOf(vendor.apiKey).webhookEndpoints;
});

function keyOf(practiceId: string) {
  const key = { practiceId, name: 'Vendor', scopes: ['webhooks:write'] };
  return addKey(service.operated, { ...key, author }, Date.now());
}

async function ask(method: string, path = '', body?: object, apiKey = vendor.apiKey) {
  const response = await checkedFetch(`${service.apiUrl}/api/practice/webhook-endpoints${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function askAgain(key: string) {
  const response = await checkedFetch(`${service.apiUrl}/api/practice/webhook-endpoints`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${vendor.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ url }),
  });
  return { replayed: response.headers.get('idempotent-replayed'), body: await response.json() };
}

const url = 'https://hooks.example.com/in?token=t0p';
const create = (differences: Partial<NewWebhookEndpoint> = {}) => endpoints.create({ url, ...differences });
const refused = (code: string) => ({ body: { code } });

describe('a key that may manage webhook endpoints', () => {
  it('creates one and tests it: only the first answer has the secret that verifies the webhook', async () => {
    const address = `http://127.0.0.1:${await startServer(receiver)}/`;
    const created = await create({ url: address, eventTypes: ['session.payment.cancelled'] });
    expect(created).toMatchObject({ url: address, status: 'enabled', retryPolicy: 'standard' });
    const { signingSecret: secret, ...endpoint } = created;
    signingSecret = secret;
    expect(await endpoints.list()).toContainEqual(endpoint);
    expect(JSON.stringify(await endpoints.list())).not.toContain('whsec_');

    const { eventId } = await endpoints.test(endpoint.endpointId);
    await vi.waitFor(() => expect(received.map(({ id }) => id)).toContain(eventId), patience);
    const { sessionId } = await service.createSession();
    await service.client.sessions.cancel(sessionId);
    await vi.waitFor(() => expect(received.map(({ type }) => type)).toContain('session.payment.cancelled'), patience);
  });

  it('creates one once, although it asks twice with the same idempotency key', async () => {
    const options = { idempotencyKey: randomUUID() };
    const first = await endpoints.create({ url }, options);
    expect(await endpoints.create({ url }, options)).toEqual(first);
    const { replayed, body } = await askAgain(options.idempotencyKey);
    expect({ replayed, body }).toEqual({ replayed: 'true', body: first });
    expect((await endpoints.list()).filter(({ endpointId }) => endpointId === first.endpointId)).toHaveLength(1);
    await expect(endpoints.create({ url, retryPolicy: 'all' }, options)).rejects.toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
  });

  it('changes only the fields that it sends, and keeps a repeated event type once', async () => {
    const { endpointId, signingSecret: _, ...created } = await create({ retryPolicy: 'all' });
    const eventTypes: NewWebhookEndpoint['eventTypes'] = ['session.payment.failed'];
    const change = { eventTypes: [...eventTypes, ...eventTypes] };
    expect(await endpoints.change(endpointId, change)).toEqual({ ...created, endpointId, eventTypes });
    const moved = { url: 'https://new.example.com/', eventTypes: null, status: 'disabled' } as const;
    const { disabledAt, ...changed } = await endpoints.change(endpointId, moved);
    expect(changed).toEqual({ ...created, endpointId, url: moved.url, status: 'disabled' });
    expect(disabledAt).toEqual(expect.any(String));
    await expect(endpoints.test(endpointId)).rejects.toMatchObject({ status: 409, code: 'webhook_endpoint_disabled' });
    expect(await endpoints.change(endpointId, { status: 'enabled' })).toEqual({ ...changed, status: 'enabled' });
    await expect(endpoints.change(endpointId, {})).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('rotates a secret, and the old one signs for as long as asked', async () => {
    const { endpointId, signingSecret: old } = await create();
    const rotated = await endpoints.rotateSecret(endpointId, { keepOldHours: 2 });
    expect(rotated.signingSecret).toMatch(/^whsec_/);
    expect(rotated.signingSecret).not.toBe(old);
    const left = Date.parse(rotated.previousSecretExpiresAt) - Date.now();
    expect(left / 3_600_000).toBeCloseTo(2, 1);
  });

  it('rotates a secret without a body, and the old one signs for a day', async () => {
    const { endpointId } = await create();
    const { status, body } = await ask('POST', `/${endpointId}/rotate-secret`);
    expect(status).toBe(200);
    const left = Date.parse(String(body['previousSecretExpiresAt'])) - Date.now();
    expect(left / 3_600_000).toBeCloseTo(24, 1);
  });

  it('deletes one, which is then unknown', async () => {
    const { endpointId } = await create();
    expect(await endpoints.delete(endpointId)).toEqual({ endpointId, status: 'deleted' });
    await expect(endpoints.delete(endpointId)).rejects.toMatchObject({
      status: 404,
      code: 'webhook_endpoint_not_found',
    });
  });

  it('may do nothing else', async () => {
    expect(await service.answerTo(vendor.apiKey)).toBe('scope_missing');
  });

  it('is the author in the audit log, and admins get emails about what matters', async () => {
    const { endpointId } = await create();
    await endpoints.change(endpointId, { url: 'https://new.example.com/' });
    await endpoints.rotateSecret(endpointId);
    await endpoints.delete(endpointId);
    const { practiceId } = service.practice;
    const { entries } = await listAuditLog(service.operated.database, practiceId, { limit: 4 });
    const by = { kind: 'api_key', keyId: vendor.keyId, name: 'Vendor', address: '127.0.0.1' };
    expect(entries.map(({ action, target }) => [action, target])).toEqual([
      ['webhook_endpoint.deleted', endpointId],
      ['signing_secret.rotated', endpointId],
      ['webhook_endpoint.moved', endpointId],
      ['webhook_endpoint.created', endpointId],
    ]);
    for (const entry of entries) expect(entry.author).toEqual(by);
    expect(JSON.stringify(entries)).not.toMatch(/whsec_|t0p/);

    const who = `Who:  the API key “Vendor” (${vendor.keyId})`;
    await vi.waitFor(() => {
      const mails = service.mails.filter(({ text }) => text.includes(who));
      for (const done of ['was added', 'was moved to another URL', 'secret was rotated', 'was deleted'])
        expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringContaining(done));
    }, patience);
  });
});

it('a URL may be as long as the signed ones of Azure Logic Apps', async () => {
  const workflow = `https://prod-27.westus.logic.azure.com:443/workflows/${'0'.repeat(32)}/triggers/manual/paths/invoke`;
  const long = `${workflow}?api-version=2016-10-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=`.padEnd(500, 'x');
  const { endpointId } = await create({ url: long });
  expect(await endpoints.list()).toContainEqual(expect.objectContaining({ endpointId, url: long }));
  await endpoints.delete(endpointId);
});

describe('refusals', () => {
  /** A practice whose rows no other test's webhook changes. */
  async function quietPractice() {
    const settings = { author, name: 'Quiet Practice', webhookUrl: service.receiver.url };
    const { endpointId = expect.fail('no endpoint'), ...created } = await createPractice(
      service.operated,
      settings,
      Date.now(),
    );
    return { ...created, endpointId };
  }

  it.each(['https://10.0.0.1/', 'HTTPS://hooks.example.com/'])(
    'no endpoint is created at or moved to %s',
    async (forbidden) => {
      const { endpointId } = await create();
      const notAllowed = { status: 422, code: 'webhook_url_not_allowed' };
      await expect(create({ url: forbidden })).rejects.toMatchObject(notAllowed);
      await expect(endpoints.change(endpointId, { url: forbidden })).rejects.toMatchObject(notAllowed);
      await endpoints.delete(endpointId);
    },
  );

  it('no URL is longer than 500 characters', async () => {
    const answer = await ask('POST', '', { url: 'https://h.example/'.padEnd(501, 'x') });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer: '/url' }] } });
  });

  it('every route needs the scope, which no key has by default', async () => {
    const { practiceId, endpointId, apiKey } = await quietPractice();
    const rows = () => readTables(service.stack, practiceId);
    const before = await rows();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/{endpointId}'],
      ['DELETE', '/{endpointId}'],
      ['POST', '/{endpointId}/rotate-secret'],
      ['POST', '/{endpointId}/test'],
      ['GET', '/{endpointId}'],
      ['GET', '/{endpointId}/deliveries'],
      ['POST', '/{endpointId}/deliveries/evt_1/resend'],
      ['POST', '/{endpointId}/replay'],
    ] as const) {
      const target = path.replace('{endpointId}', endpointId);
      expect(await ask(method, target, undefined, apiKey), `${method} ${path}`).toMatchObject({
        status: 403,
        body: { code: 'scope_missing', detail: 'Use a key with the scope webhooks:write.' },
      });
    }
    expect(await rows()).toEqual(before);
  });

  it("another practice's endpoint is as unknown as one that never existed", async () => {
    const other = await createPractice(service.operated, { author, name: 'Strange Practice' }, Date.now());
    const { apiKey } = await keyOf(other.practiceId);
    const quiet = await quietPractice();
    expect(await service.clientOf(apiKey).webhookEndpoints.list()).toEqual([]);
    const rows = () => readTables(service.stack, quiet.practiceId, other.practiceId);
    const before = await rows();
    for (const endpointId of [quiet.endpointId, `whe_${'A'.repeat(20)}`, 'x'.repeat(3000)])
      for (const [method, path, body] of [
        ['POST', '', { url }],
        ['POST', '', { status: 'disabled' }],
        ['POST', '', { status: 'enabled' }],
        ['DELETE', '', undefined],
        ['POST', '/rotate-secret', {}],
        ['POST', '/test', undefined],
        ['GET', '', undefined],
        ['GET', '/deliveries', undefined],
        ['POST', '/deliveries/evt_1/resend', undefined],
        ['POST', '/replay', { since: '2026-11-20T15:00:00Z' }],
      ] as const)
        expect(await ask(method, `/${endpointId}${path}`, body, apiKey)).toMatchObject({
          status: 404,
          ...refused('webhook_endpoint_not_found'),
        });
    // Leaves out the day of the key's first use.
    const withoutKeys = (rows: Set<string>) => [...rows].filter((row) => !row.includes('secretHash'));
    expect(withoutKeys(await rows())).toEqual(withoutKeys(before));
  });
});

/** All of its endpoints have the same receiver, which verifies with the last one's secret. */
async function aPlatform() {
  const { operated, apiUrl } = service;
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const { platformId } = await createPlatform(operated, { author, name: 'Harbor Software' }, Date.now());
  const key = { practiceId: platformId, author, name: 'Vendor', scopes: ['webhooks:write', 'events:read'] };
  const { apiKey } = await addKey(operated, key, Date.now());
  const { webhookEndpoints, events } = service.clientOf(apiKey);
  return {
    webhookEndpoints,
    events,
    receiver,
    platformId,
    eventsOf: async (practiceId: string) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'practice-id': practiceId };
      const response = await checkedFetch(`${apiUrl}/api/practice/events`, { headers });
      return (await response.json()) as { code?: string; data?: { eventId: string }[] };
    },
    async addEndpoint(filter: Pick<NewWebhookEndpoint, 'practiceIds'> = {}) {
      const created = await webhookEndpoints.create({ url: receiver.url, ...filter });
      receiver.secret = created.signingSecret;
      return created;
    },
    join: ({ practiceId }: { practiceId: string }) =>
      joinPlatform(operated, { practiceId, platformId, author }, Date.now()),
    async eventIds() {
      return (await events.listPage({ type })).data.map(({ eventId }) => eventId).sort();
    },
    async deliveryIds(endpointId: string) {
      return (await webhookEndpoints.listDeliveryPage(endpointId)).data.map(({ eventId }) => eventId).sort();
    },
  };
}

const type = 'session.payment.cancelled';

async function aPractice() {
  const input = { author, name: 'Lakeside Family Practice', supportPhone: '+1 555 010 0100' };
  const { practiceId, apiKey } = await createPractice(service.operated, input, Date.now());
  const { sessions } = service.clientOf(apiKey);
  /** `before` runs once the session exists. */
  async function cancelledSession(before: (sessionId: string) => void = () => undefined) {
    const { sessionId } = await service.createSession({}, { apiKey });
    before(sessionId);
    await sessions.cancel(sessionId);
    return sessionId;
  }
  return { practiceId, cancelledSession };
}

describe('a platform', () => {
  it("gets its practices' events, signed with its own secret, from when each joined until it leaves", async () => {
    const platform = await aPlatform();
    const { webhookEndpoints, receiver, platformId, addEndpoint } = platform;
    const practices = await Promise.all([aPractice(), aPractice(), aPractice()]);
    const [first, , leaving] = practices;
    if (!first || !leaving) throw new Error('practices are missing');
    const practiceIds = practices.map(({ practiceId }) => practiceId);
    await first.cancelledSession();
    await expect(addEndpoint({ practiceIds })).rejects.toMatchObject({ code: 'invalid_request' });
    await Promise.all(practices.map(platform.join));
    const { endpointId, signingSecret: _, ...endpoint } = await addEndpoint({ practiceIds });
    expect(await webhookEndpoints.get(endpointId)).toEqual({ ...endpoint, endpointId });
    const received = await Promise.all(
      practices.map(async ({ cancelledSession }) => receiver.waitFor(type, await cancelledSession())),
    );
    const webhooks = received.map(({ event }) => event);
    expect(webhooks.map(({ practiceId }) => practiceId)).toEqual(practiceIds);
    const ids = webhooks.map(({ id }) => id);
    await vi.waitFor(async () => expect(await platform.eventIds()).toEqual([...ids].sort()), patience);
    expect(await platform.deliveryIds(endpointId)).toEqual([...ids].sort());

    const waiting = await leaving.cancelledSession((sessionId) => receiver.failOnce(sessionId, 503));
    const key = { eventId: sessionEventId(waiting, 1), endpointId };
    const delivery = () => getDelivery(service.operated.database, key);
    await expect.poll(delivery).toMatchObject({ status: 'pending', attempts: 1 });
    await leavePlatform(service.operated, { practiceId: leaving.practiceId, author }, Date.now());
    await makeDeliveryDue(databaseOf(service.stack), key, Date.now());
    await service.stack.fireSchedules();
    await expect.poll(delivery).toMatchObject({ status: 'skipped', attempts: 1 });
    expect(receiver.received.filter(({ event }) => event.id === key.eventId)).toHaveLength(1);
    const staying = ids.slice(0, 2).sort();
    expect([await platform.eventIds(), await platform.deliveryIds(endpointId)]).toEqual([staying, staying]);
    await expect(webhookEndpoints.resend(endpointId, key.eventId)).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
    expect(await webhookEndpoints.replay(endpointId, new Date(0))).toMatchObject({ replayed: 0, more: false });
    expect(await platform.eventsOf(leaving.practiceId)).toMatchObject({ code: 'practice_not_found' });

    const [again = ''] = staying;
    expect(await webhookEndpoints.resend(endpointId, again)).toEqual({ endpointId, eventId: again });
    await vi.waitFor(
      () => expect(receiver.received.filter(({ event }) => event.id === again)).toHaveLength(2),
      patience,
    );

    const owner = { practiceId: platformId };
    const member = await dashboardUser(service, { ...owner, role: 'admin' });
    expect((await member.call('listDeliveries', owner)).body['data']).toHaveLength(2);
    const replayed = await member.call('replayWebhookEndpoint', { ...owner, endpointId }, { since: '2026-11-20' });
    expect(replayed.body).toMatchObject({ replayed: 0 });
    const change = { practiceIds: [(await aPractice()).practiceId] };
    expect((await member.call('changeWebhookEndpoint', { ...owner, endpointId }, change)).status).toBe(400);

    const next = await aPlatform();
    await next.join(leaving);
    const later = await next.addEndpoint();
    const seen = await next.receiver.waitFor(type, await leaving.cancelledSession());
    await vi.waitFor(async () => expect(await next.eventIds()).toEqual([seen.event.id]), patience);
    expect(await next.deliveryIds(later.endpointId)).toEqual([seen.event.id]);
    const { data } = await next.eventsOf(leaving.practiceId);
    expect(data?.map(({ eventId }) => eventId)).toEqual([seen.event.id]);
    expect(await platform.eventIds()).toEqual(staying);
  });
});
