import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { batchTime, slotPause } from '../../functions/domain/webhooks/endpoint-health.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { disableWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { anEntry } from '../support/create-practice.ts';
import { aroundEachCall, beforeEachCall, countRequests } from '../support/answered-client.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const { database } = await startTestTables();

const forever = () => new Promise<never>(() => {});

/** Delivers the tickets of one invocation with a worker's tools. By default, every answer comes before a pause is over. */
async function aBatch(size: number, pause: (milliseconds: number) => Promise<unknown> = forever) {
  const made = await anEndpoint({ database });
  const keys = await Promise.all(Array.from({ length: size }, () => made.event()));
  const { database: counted, requests } = countRequests(database);
  const work = () => made.batch(keys, { database: counted, pause });
  return { ...made, keys, work, requests };
}

it('a batch to a quick endpoint reserves and frees a slot, and reads its events, with one request each', async () => {
  const { event, attempt, work, requests, posted, endpoint } = await aBatch(4);
  await attempt(await event(), 1);
  await work();
  expect(posted()).toHaveLength(5);
  expect(requests()).toEqual({ webhookEndpoints: 2, events: 1, deliveries: 8 });
  expect(await endpoint()).not.toHaveProperty('inFlight');
});

it('a batch to a slower endpoint reserves up to five slots and passes them on instead of coming back', async () => {
  const waitsForLanes = Promise.withResolvers<void>();
  const pauses = new Set<number>();
  const pause = (milliseconds: number) => {
    pauses.add(milliseconds);
    if (milliseconds <= slotPause) return Promise.resolve();
    waitsForLanes.resolve();
    return forever();
  };
  const { state, work, posted, keys, endpoint } = await aBatch(10, pause);
  const full = Promise.withResolvers<void>();
  let [inFlight, most] = [0, 0];
  state.answer = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (most === 5) full.resolve();
    await Promise.all([full.promise, waitsForLanes.promise]);
    inFlight -= 1;
    return { statusCode: 204 };
  };
  await work();
  expect(posted().sort()).toEqual(keys.map(({ eventId }) => eventId).sort());
  expect(state.tickets).toEqual([]);
  expect(most).toBe(5);
  expect(pauses, 'the longer one is for busy lanes').toEqual(new Set([slotPause, batchTime]));
  expect(await endpoint()).not.toHaveProperty('inFlight');
});

it('a batch leases all its deliveries with its first slot, so that none waits for its lease later', async () => {
  const { state, work, keys } = await aBatch(3);
  const areLeased = async () =>
    (await Promise.all(keys.map((key) => getDelivery(database, key)))).every((row) => row?.leasedUntil !== undefined);
  state.answer = async ({ eventId }) => {
    if (eventId === keys[0]?.eventId) await expect.poll(areLeased).toBe(true);
    return { statusCode: 204 };
  };
  expect((await work()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
});

it('an attempt is recorded while the next one is sent', async () => {
  const { state, event, attempt, batch, posted, row } = await anEndpoint({ database });
  await attempt(await event(), 1);
  const [first, second] = [await event(), await event()];
  const sent = Promise.withResolvers<void>();
  state.answer = ({ eventId }) => {
    if (eventId === second.eventId) sent.resolve();
    return { statusCode: 204 };
  };
  const slow = beforeEachCall(database, async ({ operation, input }) => {
    const text = JSON.stringify(input);
    if (operation === 'UpdateItem' && text.includes(first.eventId) && text.includes('deliveredAt')) await sent.promise;
  });
  await batch([first, second], { database: slow, pause: forever });
  expect(posted().slice(1)).toEqual([first.eventId, second.eventId]);
  expect(await row(first)).toMatchObject({ status: 'delivered' });
});

it('a stale ticket does not cost its batch another slot', async () => {
  const { keys, attempt, work, requests, posted } = await aBatch(3);
  await attempt(keys[0]!, 1);
  await work();
  expect(posted()).toHaveLength(3);
  expect(requests()).toMatchObject({ webhookEndpoints: 2 });
});

it('two tickets of an event in a batch post it once, and do not cut off its request', async () => {
  const refused = Promise.withResolvers<void>();
  const watched = aroundEachCall(database, (_, perform) => {
    const answer = perform();
    // The second ticket finds that the delivery is leased.
    answer.catch(() => refused.resolve());
    return answer;
  });
  const server = createServer(async (request, response) => {
    request.resume();
    await refused.promise;
    response.writeHead(204).end();
  });
  const url = `http://127.0.0.1:${await startServer(server)}/`;
  const { event, batch, row, endpoint } = await anEndpoint({ database }, { url });
  const key = await event();
  const results = await batch([key, key], {
    database: watched,
    post: (post, connections) => postWebhook(post, true, { connections }),
    // Long enough for the second ticket to get a lane.
    pause: async (milliseconds) => (milliseconds <= slotPause ? undefined : forever()),
  });
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await endpoint()).not.toHaveProperty('inFlight');
});

it('a slot that was reserved long ago is not passed on: the endpoint may have been disabled since', async () => {
  const { state, work, posted, keys, practiceId, endpointId, drain } = await aBatch(6);
  state.answer = async () => {
    state.now += 5_000;
    await disableWebhookEndpoint(database, { practiceId, endpointId }, state.now, anEntry(practiceId));
    return { statusCode: 204 };
  };
  await work();
  expect(posted()).toHaveLength(1);
  state.now += 1_000;
  await drain();
  expect(posted()).toHaveLength(1);
  const rows = await Promise.all(keys.map((key) => getDelivery(database, key)));
  expect(rows.filter((row) => row?.status === 'skipped')).toHaveLength(5);
});
