import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { platformApiRoutes } from '../../functions/contract/practices/platform-practices.ts';
import { practiceRoutes } from '../../functions/contract/routes.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import type { PracticeRoute } from '../../functions/contract/practice-route.ts';
import { scopes } from '../../functions/domain/practices/api-key.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { createPlatform, joinPlatform, leavePlatform } from '../../functions/practices/platforms.ts';
import { addEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { resumePractice, suspendPractice } from '../../functions/practices/suspend-and-close.ts';
import { createPaymentClient, eventOf, type NewSession, type NewWebhookEndpoint } from '../../web/client/index.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { author, createPractice } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { startReceiver } from '../support/receiver.ts';
import { patience } from '../support/until.ts';
import { readTables, waitUntilIdle } from '../support/table-contents.ts';

let service: TestPractice;
let platform: { platformId: string; apiKey: string };
let other: typeof platform;
/** Practices by their relation to the platform. */
let practices: Record<'one' | 'two' | 'left' | 'others' | 'nobodys', string>;
let sessionId: string;

const session: NewSession = {
  invoiceId: 'INV-1',
  amountCents: 18_250,
  patient: { firstName: 'Ada', lastName: 'Okafor' },
};

onStack.beforeAll(async ({ own }) => {
  service = own;
  const { operated, practice } = service;
  const aPlatform = async (name: string) => {
    const { platformId } = await createPlatform(operated, { name, author }, Date.now());
    const key = { practiceId: platformId, author, name: 'all', scopes: [...scopes] };
    return { platformId, apiKey: (await addKey(operated, key, Date.now())).apiKey };
  };
  const aPractice = async (name: string) => (await createPractice(operated, { name, author }, Date.now())).practiceId;
  [platform, other] = await Promise.all([aPlatform('Harbor Software'), aPlatform('Meadow Software')]);
  const [two, left, others, nobodys] = await Promise.all(['Two', 'Left', 'Of another', 'Of nobody'].map(aPractice));
  practices = { one: practice.practiceId, two: two!, left: left!, others: others!, nobodys: nobodys! };
  const join = (practiceId: string, { platformId }: typeof platform) =>
    joinPlatform(operated, { practiceId, platformId, author }, Date.now());
  await join(practices.one, platform);
  await join(practices.two, platform);
  await join(practices.left, platform);
  await join(practices.others, other);
  ({ sessionId } = await clientOf(practices.left).sessions.create(session));
  await leavePlatform(operated, { practiceId: practices.left, author }, Date.now());
});

function clientOf(practiceId: string, { apiKey } = platform) {
  const { apiUrl } = service;
  return createPaymentClient({ apiUrl, apiKey, practiceId, fetch: checkedFetch, maximumAttempts: 1 });
}

describe("a platform's key", () => {
  it('does for a practice what its own key does', async () => {
    const client = clientOf(practices.one);
    const ofInvoice = { ...session, invoiceId: 'INV-2' };
    const { sessionId: its } = await client.sessions.create(ofInvoice);
    expect((await service.client.sessions.get(its)).status).toBe('pending');
    await client.sandbox.simulate(its, 'user_good');
    const { sessionId: cancelled } = await client.sessions.create(ofInvoice);
    await client.sessions.cancel(cancelled);
    await client.sessions.erasePatient(cancelled);
    const { data } = await client.sessions.listPage({ invoiceId: 'INV-2' });
    expect(data.map((each) => [each.sessionId, each.status])).toEqual([
      [cancelled, 'cancelled'],
      [its, 'succeeded'],
    ]);
    expect((await client.events.listPage({ sessionId: its })).data).toHaveLength(2);
    expect(await client.practice.get()).toMatchObject({ practiceId: practices.one, name: 'Lakeside Family Practice' });
    expect(await client.webhookEndpoints.list()).toHaveLength(1);
  });

  it('can use the same idempotency key for two practices', async () => {
    const created = [];
    for (const practiceId of [practices.one, practices.two, practices.one])
      created.push((await clientOf(practiceId).sessions.create(session, { idempotencyKey: 'order-1' })).sessionId);
    const [first, second, again] = created;
    expect(second).not.toBe(first);
    expect(again).toBe(first);
  });

  it('no longer reaches a practice from the first request after it has left', async () => {
    const { operated } = service;
    const { practiceId } = await createPractice(operated, { name: 'Leaving', author }, Date.now());
    await joinPlatform(operated, { practiceId, platformId: platform.platformId, author }, Date.now());
    const client = clientOf(practiceId);
    await client.sessions.create(session);
    await leavePlatform(operated, { practiceId, author }, Date.now());
    await expect(client.sessions.listPage()).rejects.toMatchObject({ code: 'practice_not_found' });
    await joinPlatform(operated, { practiceId, platformId: other.platformId, author }, Date.now());
    expect((await clientOf(practiceId, other).sessions.listPage()).data).toHaveLength(1);
    await expect(client.sessions.listPage()).rejects.toMatchObject({ code: 'practice_not_found' });
  });
});

describe('on every route of the practice API', () => {
  const routes = Object.entries<PracticeRoute>({ ...practiceRoutes, ...sandboxPracticeRoutes });

  async function ask({ method, path }: PracticeRoute, apiKey: string, practiceId?: string) {
    const target = path.replace('{sessionId}', sessionId).replace('{endpointId}', 'whe_8Kv79apPAHCAR7MeEt5v');
    const response = await fetch(`${service.apiUrl}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...(practiceId !== undefined && { 'practice-id': practiceId }),
      },
      ...(method === 'POST' && { body: JSON.stringify(session) }),
    });
    const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>;
    return { status: response.status, ...body };
  }

  // Deliveries of another test's webhooks may still be being recorded.
  beforeAll(() => waitUntilIdle(service.stack, ...Object.values(practices)));

  const rows = () => readTables(service.stack, ...Object.values(practices));

  it("a platform's key gets the same answer for every practice that is not in the platform", async () => {
    const before = await rows();
    const { left, others, nobodys } = practices;
    const notIn = [left, others, nobodys, 'prc_none', platform.platformId];
    const refused = {
      status: 404,
      code: 'practice_not_found',
      detail: "Use the ID of one of your platform's practices.",
    };
    for (const practiceId of notIn)
      expect(await ask(practiceRoutes.getSessionStatus, platform.apiKey, practiceId), practiceId).toMatchObject(
        refused,
      );
    for (const [name, route] of routes.filter(([, { platform: kind }]) => kind !== 'itself'))
      expect(await ask(route, platform.apiKey, left), name).toMatchObject(refused);
    const { one, two } = practices;
    for (const both of [`${one}, ${two}`, `${one},${one}`])
      expect(await ask(practiceRoutes.getSessionStatus, platform.apiKey, both)).toMatchObject({
        ...refused,
        detail: 'Send `Practice-Id` once, with one ID.',
      });
    for (const route of [practiceRoutes.getSessionStatus, practiceRoutes.listEvents])
      expect(await ask(route, platform.apiKey, '')).toMatchObject({
        ...refused,
        detail: '`Practice-Id` is empty: send one ID in it.',
      });
    expect(
      await ask(
        { ...platformApiRoutes.getPlatformPractice, path: `/api/platform/practices/${one},${two}` },
        platform.apiKey,
      ),
    ).toMatchObject(refused);
    expect(await rows()).toEqual(before);
  });

  it("a platform's key changes no endpoint of a practice, which would outlast its access", async () => {
    const before = await rows();
    const changing = routes.filter(([, { platform: kind }]) => kind === 'itself');
    expect(changing.map(([name]) => name).sort()).toEqual([
      'changeWebhookEndpoint',
      'createWebhookEndpoint',
      'deleteWebhookEndpoint',
      'rotateSigningSecret',
    ]);
    for (const [name, route] of changing)
      for (const practiceId of [practices.one, practices.left])
        expect(await ask(route, platform.apiKey, practiceId), name).toMatchObject({
          status: 400,
          code: 'practice_id_not_allowed',
        });
    expect(await rows()).toEqual(before);
  });

  it("a platform's key narrows the platform's own endpoint to some of its practices", async () => {
    const { apiUrl } = service;
    const vendor = createPaymentClient({ apiUrl, apiKey: platform.apiKey, fetch: checkedFetch, maximumAttempts: 1 });
    const { endpointId } = await vendor.webhookEndpoints.create({ url: 'http://127.0.0.1:1/' });
    const narrow = async (practiceId: string) =>
      vendor.webhookEndpoints.change(endpointId, { practiceIds: [practiceId] });
    expect(await narrow(practices.one)).toMatchObject({ practiceIds: [practices.one] });
    await expect(narrow(practices.others)).rejects.toMatchObject({ code: 'invalid_request' });
    await vendor.webhookEndpoints.delete(endpointId);
  });

  it("a platform's key needs the header, if the route is about a practice", async () => {
    const before = await rows();
    for (const [name, route] of routes.filter(([, { platform: kind }]) => kind === undefined))
      expect(await ask(route, platform.apiKey), name).toMatchObject({ status: 400, code: 'practice_id_missing' });
    expect(await rows()).toEqual(before);
  });

  it("a practice's own key takes no header, not even with its own ID", async () => {
    const before = await rows();
    for (const [name, route] of routes)
      expect(await ask(route, service.practice.apiKey, practices.one), name).toMatchObject({
        status: 400,
        code: 'practice_id_not_allowed',
      });
    expect(await rows()).toEqual(before);
  });

  it('a session of another practice is unknown, even within the platform', async () => {
    for (const [name, route] of routes.filter(([, { path }]) => path.includes('{sessionId}')))
      expect(await ask(route, platform.apiKey, practices.one), name).toMatchObject(
        name === 'simulateSession' ? { status: 400 } : { status: 404, code: 'session_not_found' },
      );
  });
});

describe("a platform's own calls", () => {
  const vendorOf = ({ apiKey }: typeof platform) =>
    createPaymentClient({ apiUrl: service.apiUrl, apiKey, fetch: checkedFetch, maximumAttempts: 1 });

  it('create practices; one receiver hears of all, until one leaves', async () => {
    const { operated } = service;
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const vendor = vendorOf(other);
    const endpoint = { practiceId: other.platformId, author, url: receiver.url };
    const { signingSecret } = await addEndpoint(operated, endpoint, Date.now());
    receiver.secret = signingSecret;
    const eventTypes: NewWebhookEndpoint['eventTypes'] = ['practice.joined', 'practice.left'];
    const { endpointId } = await vendor.webhookEndpoints.create({ url: 'http://127.0.0.1:1/', eventTypes });
    const names = Array.from({ length: 3 }, (_, index) => `Practice ${index}`);
    const created = await Promise.all(
      names.map((name) => vendor.practices.create({ name, supportPhone: '+1 555 010 0100' }, { idempotencyKey: name })),
    );
    const createAgain = () =>
      vendor.practices.create(
        { name: 'Practice 0', supportPhone: '+1 555 010 0100' },
        { idempotencyKey: 'Practice 0' },
      );
    expect(await createAgain()).toEqual(created[0]);
    const ids = created.map(({ practiceId }) => practiceId);
    for (const practiceId of ids) {
      expect(await vendor.practices.get(practiceId)).toMatchObject({ practiceId, status: 'active', missing: [] });
      const client = clientOf(practiceId, other);
      const { sessionId: paid } = await client.sessions.create(session);
      await client.sandbox.simulate(paid, 'user_good');
      const { event } = await receiver.waitFor('session.payment.succeeded', paid);
      expect(event.practiceId).toBe(practiceId);
    }
    const listedIds = async () => {
      const found = [];
      for await (const { practiceId } of vendor.practices.list()) found.push(practiceId);
      return found.filter((each) => ids.includes(each));
    };
    expect(await listedIds()).toEqual(ids.toSorted());
    const page = await vendor.practices.listPage({ limit: 2 });
    await expect(
      vendorOf(platform).practices.listPage({ limit: 2, cursor: page.nextCursor ?? '' }),
    ).rejects.toMatchObject({ code: 'invalid_cursor' });

    const [leaver = ''] = ids;
    await leavePlatform(operated, { practiceId: leaver, author }, Date.now());
    await expect(vendor.practices.get(leaver)).rejects.toMatchObject({ code: 'practice_not_found' });
    await expect(createAgain()).rejects.toMatchObject({ code: 'practice_not_found' });
    await expect(clientOf(leaver, other).sessions.listPage()).rejects.toMatchObject({ code: 'practice_not_found' });
    expect(await listedIds()).toEqual(ids.slice(1).toSorted());
    const told = async () => {
      const { data } = await vendor.webhookEndpoints.listDeliveryPage(endpointId);
      return data.map((each) => `${each.eventType} ${each.practiceId}`).sort();
    };
    const moves = [...ids.map((id) => `practice.joined ${id}`), `practice.left ${leaver}`];
    await expect.poll(told, { timeout: patience }).toEqual(moves.sort());
    const [left] = (await vendor.events.listPage({ type: eventTypes })).data;
    expect(left && eventOf(left)).toMatchObject({ type: 'practice.left', practiceId: leaver });
  });

  it('suspend a practice and resume it, unless the operator suspended it', async () => {
    const vendor = vendorOf(platform);
    const { practiceId } = await vendor.practices.create({ name: 'Suspended' });
    const client = clientOf(practiceId);
    expect(await vendor.practices.suspend(practiceId)).toMatchObject({ status: 'suspended' });
    await expect(client.sessions.create(session)).rejects.toMatchObject({ code: 'practice_suspended' });
    expect(await vendor.practices.resume(practiceId)).toMatchObject({ status: 'active' });
    await client.sessions.create(session);
    await vendor.practices.suspend(practiceId);
    const ofOperator = { practiceId, author: { kind: 'operator' } } as const;
    await suspendPractice(service.operated, ofOperator, Date.now());
    await expect(vendor.practices.resume(practiceId)).rejects.toMatchObject({ code: 'practice_suspended' });
    await resumePractice(service.operated, ofOperator, Date.now());
    expect(await vendor.practices.resume(practiceId)).toMatchObject({ status: 'active' });
  });

  it("take only a platform's key with the scope, no header, and no practice of anyone else", async () => {
    const { left, others, nobodys, one } = practices;
    const { apiKey: without } = await addKey(
      service.operated,
      { practiceId: platform.platformId, author, name: 'x', scopes: ['sessions:read'] },
      Date.now(),
    );
    for (const [name, { method, path }] of Object.entries<PracticeRoute>(platformApiRoutes)) {
      const send = async (apiKey: string, practiceId: string, headers = {}) => {
        const response = await fetch(`${service.apiUrl}${path.replace('{practiceId}', practiceId)}`, {
          method,
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
          ...(method === 'POST' && { body: JSON.stringify({ name: 'Nobody' }) }),
        });
        return (await response.json()) as { code: string };
      };
      expect((await send(service.practice.apiKey, one)).code, name).toBe('platform_key_required');
      expect((await send(platform.apiKey, one, { 'practice-id': one })).code, name).toBe('practice_id_not_allowed');
      expect((await send(without, one)).code, name).toBe('scope_missing');
      if (path.includes('{practiceId}'))
        for (const practiceId of [left, others, nobodys, 'prc_none', platform.platformId])
          expect((await send(platform.apiKey, practiceId)).code, name).toBe('practice_not_found');
    }
  });
});
