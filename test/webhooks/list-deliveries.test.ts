import { describe, expect, it } from 'vitest';
import { sessionEventId, sessionIdOfEvent } from '../../functions/domain/webhooks/event.ts';
import { createDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getDeliveryDetail, listDeliveries, listEndpointDeliveries } from '../../functions/webhooks/list-deliveries.ts';
import { remove } from '../../functions/store/rows.ts';
import { urlForMember } from '../../functions/webhooks/requirements.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { storeSession } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();

async function allPages(input: Omit<Parameters<typeof listDeliveries>[1], 'cursor'>) {
  const found: { eventId: string; endpointId: string }[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ;) {
    const page = await listDeliveries(tables, { ...input, cursor });
    found.push(...page.deliveries.map(({ eventId, endpointId }) => ({ eventId, endpointId })));
    pages += 1;
    if (page.nextCursor === null) return { found, pages };
    cursor = page.nextCursor;
  }
}

describe("a practice's deliveries", () => {
  it('come newest first from all of its endpoints', async () => {
    const endpoint = await anEndpoint(tables);
    const other = await endpoint.addEndpoint();
    const first = await endpoint.dispatchedEvent();
    endpoint.state.now += 1000;
    const second = await endpoint.dispatchedEvent();
    const { deliveries, nextCursor } = await listDeliveries(tables, { practiceId: endpoint.practiceId });
    expect(nextCursor).toBeNull();
    expect(deliveries.map(({ eventId }) => eventId)).toEqual([
      second.eventId,
      second.eventId,
      first.eventId,
      first.eventId,
    ]);
    expect(new Set(deliveries.map(({ endpointId }) => endpointId))).toEqual(new Set([endpoint.endpointId, other]));
  });

  it('come in pages that leave out none and repeat none, however many share a millisecond', async () => {
    const endpoint = await anEndpoint(tables);
    const other = await endpoint.addEndpoint();
    await aFewAtOnce(50, () => endpoint.dispatchedEvent());
    const { found, pages } = await allPages({ practiceId: endpoint.practiceId });
    expect(pages).toBe(2);
    expect(new Set(found.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`)).size).toBe(100);
    expect(found).toHaveLength(100);
    const ofOne = await allPages({ practiceId: endpoint.practiceId, endpointId: other });
    expect(ofOne.found).toHaveLength(50);
    expect(ofOne.pages).toBe(1);
  });

  it('can be filtered by status, endpoint and session', async () => {
    const endpoint = await anEndpoint(tables);
    const other = await endpoint.addEndpoint();
    const delivered = await endpoint.dispatchedEvent();
    await endpoint.attempt(delivered, 1);
    await endpoint.dispatchedEvent();
    const { practiceId, endpointId } = endpoint;
    const { found } = await allPages({ practiceId, status: 'delivered' });
    expect(found).toEqual([{ eventId: delivered.eventId, endpointId }]);
    const sessionId = sessionIdOfEvent(delivered.eventId);
    expect((await allPages({ practiceId, sessionId })).found).toHaveLength(2);
    expect((await allPages({ practiceId, sessionId, endpointId: other })).found).toEqual([
      { eventId: delivered.eventId, endpointId: other },
    ]);
  });

  it('of a session come newest first', async () => {
    const { practiceId, endpointId, state } = await anEndpoint(tables);
    const { sessionId } = await storeSession(tables.database, { practiceId, sequence: 3 }, state.now);
    const eventIds = [3, 2, 1].map((sequence) => sessionEventId(sessionId, sequence));
    for (const eventId of eventIds) {
      const event = { eventId, practiceId, type: 'session.payment.cancelled' as const };
      await createDelivery(tables.database, event, { practiceId, endpointId, status: 'enabled' }, state.now);
    }
    const { found } = await allPages({ practiceId, sessionId });
    expect(found).toEqual(eventIds.map((eventId) => ({ eventId, endpointId })));
  });

  it("are not found by another practice's session or endpoint, or with a made-up cursor", async () => {
    const endpoint = await anEndpoint(tables);
    const { eventId, endpointId } = await endpoint.dispatchedEvent();
    const codeOf = async (input: Parameters<typeof listDeliveries>[1]) =>
      (await problemOf(listDeliveries(tables, input))).code;
    const practiceId = 'prc_other';
    expect(await codeOf({ practiceId, sessionId: sessionIdOfEvent(eventId) })).toBe('session_not_found');
    expect(await codeOf({ practiceId, sessionId: 'ses_none' })).toBe('session_not_found');
    expect(await codeOf({ practiceId, endpointId })).toBe('webhook_endpoint_not_found');
    expect(await codeOf({ ...endpoint, cursor: 'none' })).toBe('invalid_cursor');
    const createdAt = '2026-11-20T10:00:00.000Z';
    for (const position of [
      { createdAt: '', eventId },
      { createdAt, eventId: '' },
      { createdAt, eventId: 'x'.repeat(2900) },
    ]) {
      const cursor = Buffer.from(JSON.stringify([[endpointId, position]])).toString('base64url');
      expect(await codeOf({ ...endpoint, cursor })).toBe('invalid_cursor');
    }
  });
});

describe('a delivery', () => {
  it('has the body that it sends and every attempt with its URL', async () => {
    const endpoint = await anEndpoint(tables);
    const key = await endpoint.event();
    endpoint.state.answer = { statusCode: 500, responseExcerpt: 'out of order' };
    await endpoint.attempt(key, 1);
    const { practiceId } = endpoint;
    const { delivery, body, attempts } = await getDeliveryDetail(tables, { practiceId, ...key });
    expect(delivery).toMatchObject({ ...key, status: 'pending', attempts: 1 });
    expect(body).toBe(endpoint.state.posts[0]?.body);
    const { url } = await endpoint.endpoint();
    expect(attempts).toMatchObject([{ attemptNumber: 1, statusCode: 500, responseExcerpt: 'out of order', url }]);
    for (const foreign of [{ eventId: 'x'.repeat(3000) }, { endpointId: 'x'.repeat(3000) }])
      expect((await problemOf(getDeliveryDetail(tables, { practiceId, ...key, ...foreign }))).code).toBe(
        'delivery_not_found',
      );
    expect((await problemOf(getDeliveryDetail(tables, { practiceId: 'prc_other', ...key }))).code).toBe(
      'delivery_not_found',
    );
  });
});

it('a delivery whose event is no longer stored has its attempts, but no body', async () => {
  const endpoint = await anEndpoint(tables);
  const key = await endpoint.event();
  await endpoint.attempt(key, 1);
  await remove(tables.database, 'events', { eventId: key.eventId });
  const detail = await getDeliveryDetail(tables, { ...key, practiceId: endpoint.practiceId });
  expect(detail).toMatchObject({ body: undefined, attempts: [{ attemptNumber: 1 }] });
});

it('a delivery that is attempted while it is read is shown as it was before, without the attempt', async () => {
  const endpoint = await anEndpoint(tables);
  const key = await endpoint.event();
  endpoint.state.answer = { statusCode: 404 };
  const database = beforeEachCall(tables.database, async ({ operation }) => {
    if (operation === 'Query') await endpoint.attempt(key, 1);
  });
  const detail = await getDeliveryDetail({ database }, { ...key, practiceId: endpoint.practiceId });
  expect(detail).toMatchObject({ delivery: { status: 'pending' }, attempts: [] });
  expect(await endpoint.row(key)).toMatchObject({ status: 'failed' });
});

const row = (redirectsTo?: string) => ({ url: 'https://hooks.example.com/in?token=1', redirectsTo });

it.each([
  ['https://www.example.com/in?token=1#2', 'https://www.example.com/in'],
  ['https://ada:secret@www.example.com/in', 'https://www.example.com/in'],
  ['http://www.example.com/in?token=1', 'http://www.example.com/in'],
  ['http://[?token=1', undefined],
  ['app://in?token=1', undefined],
  ['app://in?token=1&next=https://www.example.com/', undefined],
  [undefined, undefined],
])('where a redirect leads, %s, is shown without tokens to all but admins', (redirectsTo, shown) => {
  expect(urlForMember(row(redirectsTo), { role: 'admin' })).toEqual(row(redirectsTo));
  for (const member of [{ role: 'staff' }, { role: 'viewer' }, { role: 'admin', platformId: 'plt_1' }] as const)
    expect(urlForMember(row(redirectsTo), member)).toEqual({
      url: 'https://hooks.example.com/in',
      redirectsTo: shown,
    });
});

describe("an endpoint's deliveries in the API", () => {
  it('come newest first in pages that leave out none, also with a filter, and end with a null cursor', async () => {
    const endpoint = await anEndpoint(tables);
    const { practiceId, endpointId } = endpoint;
    await endpoint.addEndpoint();
    const eventIds: string[] = [];
    for (let made = 0; made < 5; made += 1) {
      const key = await endpoint.dispatchedEvent();
      if (made % 2 === 0) await endpoint.attempt(key, 1);
      eventIds.unshift(key.eventId);
      endpoint.state.now += 1000;
    }
    const pages = async (status?: 'delivered') => {
      const found: string[][] = [];
      for (let cursor: string | undefined; ;) {
        const page = await listEndpointDeliveries(tables, { practiceId, endpointId, limit: 2, status, cursor });
        found.push(page.deliveries.map(({ eventId }) => eventId));
        if (page.nextCursor === null) return found;
        cursor = page.nextCursor;
      }
    };
    expect(await pages()).toEqual([eventIds.slice(0, 2), eventIds.slice(2, 4), eventIds.slice(4)]);
    const [newest, , third, , oldest] = eventIds;
    expect(await pages('delivered')).toEqual([[newest], [third], [oldest]]);
  });

  it('are not found at another practice, or with a cursor of another list', async () => {
    const endpoint = await anEndpoint(tables);
    const { practiceId, endpointId } = endpoint;
    await endpoint.dispatchedEvent();
    endpoint.state.now += 1000;
    await endpoint.dispatchedEvent();
    const first = await listEndpointDeliveries(tables, { practiceId, endpointId, limit: 1 });
    const cursor = first.nextCursor ?? '';
    const codeOf = async (differences: Partial<Parameters<typeof listEndpointDeliveries>[1]>) =>
      (await problemOf(listEndpointDeliveries(tables, { practiceId, endpointId, limit: 1, ...differences }))).code;
    expect(await codeOf({ practiceId: 'prc_other' })).toBe('webhook_endpoint_not_found');
    expect(await codeOf({ cursor, status: 'failed' })).toBe('invalid_cursor');
    expect(await codeOf({ cursor, endpointId: await endpoint.addEndpoint() })).toBe('invalid_cursor');
    expect(await codeOf({ cursor: 'none' })).toBe('invalid_cursor');
  });
});
