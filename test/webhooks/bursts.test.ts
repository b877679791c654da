import { expect, it } from 'vitest';
import { deliveryTicket, type DeliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { lostSlots } from '../../functions/domain/webhooks/endpoint-health.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { deliver, type EndpointTools } from '../../functions/webhooks/deliver.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { startTestTables } from '../support/tables.ts';
import { deliveryTools } from '../support/tools.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { virtualTime } from '../support/virtual-time.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';
import { aroundEachCall } from '../support/answered-client.ts';

const { database } = await startTestTables();

const [batchSize, visibilityTimeout] = [10, 3 * minute];

interface Burst {
  readonly seed: number;
  readonly count: number;
  readonly workers: number;
  /** The share of database responses that get lost. */
  readonly lost?: number;
  readonly answer?: (made: number, now: number) => { readonly after: number; readonly result: Partial<PostResult> };
}

/** Workers that take tickets from a queue in batches of up to ten, as Lambda does. */
async function deliverBurst({ seed, count, workers, lost = 0, answer }: Burst) {
  const made = await anEndpoint({ database });
  const { practiceId, endpointId } = made;
  const keys = await aFewAtOnce(count, () => made.event());
  const random = seededRandom(seed);
  const time = virtualTime(made.state.now);
  const queue: { ticket: DeliveryTicket; at: number }[] = keys.map((key) => ({
    ticket: { ...key, practiceId, attemptNumber: 1 },
    at: time.clock(),
  }));
  const posted = new Map<string, number>();
  let [inFlight, most, working, putOff] = [0, 0, 0, 0];

  const distant = aroundEachCall(database, async (_, perform) => {
    await time.sleep(random() * 10);
    if (random() < lost / 2) throw new Error('the request was lost');
    const output = await time.real(perform);
    await time.sleep(random() * 10);
    if (random() < lost / 2) throw new Error('the answer was lost');
    return output;
  });
  const aWorker = (): EndpointTools =>
    deliveryTools(distant, {
      clock: time.clock,
      random,
      pause: time.sleep,
      async post({ headers }) {
        const eventId = headers['webhook-id'] ?? '';
        inFlight += 1;
        most = Math.max(most, inFlight);
        const total = [...posted.values()].reduce((sum, times) => sum + times, 0);
        posted.set(eventId, (posted.get(eventId) ?? 0) + 1);
        const { after, result } = answer?.(total, time.clock()) ?? {
          after: random() * 30,
          result: { statusCode: 204 },
        };
        await time.sleep(after);
        inFlight -= 1;
        return { responseTruncated: false, ...result };
      },
      async sendDeliveries(tickets) {
        putOff += tickets.length;
        for (const { body, delay = 0 } of tickets)
          queue.push({ ticket: deliveryTicket.parse(body), at: time.clock() + delay });
      },
    });

  async function work(tools: EndpointTools): Promise<void> {
    while (queue.length > 0 || working > 0) {
      const ready = queue.filter(({ at }) => at <= time.clock()).slice(0, 1 + Math.floor(random() * batchSize));
      if (ready.length === 0) {
        // Waits for other workers to finish and send new tickets.
        await time.sleep(working > 0 ? 100 : Math.min(...queue.map(({ at }) => at)) - time.clock());
        continue;
      }
      for (const ticket of ready) queue.splice(queue.indexOf(ticket), 1);
      working += 1;
      const tickets = ready.map(({ ticket }) => ticket);
      const results = await deliver(tools, tickets);
      for (const [index, { status }] of results.entries()) {
        const ticket = tickets[index];
        if (status === 'rejected' && ticket) queue.push({ ticket, at: time.clock() + visibilityTimeout });
      }
      working -= 1;
      if (random() < 0.3) await time.sleep(random() * 50);
    }
  }

  await time.until(Promise.all(Array.from({ length: workers }, () => work(aWorker()))));
  const rows = await Promise.all(keys.map(made.row));
  return {
    posts: keys.map(({ eventId }) => posted.get(eventId) ?? 0),
    most,
    statuses: rows.map(({ status }) => status),
    attempts: rows.map(({ attempts }) => attempts),
    endpoint: await made.endpoint(endpointId),
    putOff,
    now: time.clock(),
  };
}

const seeds = [1, 2];

it.each(seeds)('a burst is delivered, each event once, by workers that share the endpoint (%i)', async (seed) => {
  const { posts, most, statuses, endpoint } = await deliverBurst({ seed, count: 100, workers: 1 + 3 * seed });
  expect(posts).toEqual(posts.map(() => 1));
  expect(new Set(statuses)).toEqual(new Set(['delivered']));
  expect(most).toBeLessThanOrEqual(5);
  expect(endpoint).not.toHaveProperty('inFlight');
});

it.each(seeds)('no delivery to a quick endpoint is put off because six workers send to it (%i)', async (seed) => {
  const { posts, putOff } = await deliverBurst({ seed, count: 100, workers: 6 });
  expect(posts).toEqual(posts.map(() => 1));
  expect(putOff).toBe(0);
});

it.each(seeds)(
  'a server that hangs in the middle of a burst gets the rest once it answers again (%i)',
  async (seed) => {
    let hungAt: number | undefined;
    const answer = (made: number, now: number) => {
      if (made >= 30) hungAt ??= now;
      return hungAt !== undefined && now < hungAt + minute
        ? { after: 15 * second, result: { error: 'timeout' } as const }
        : { after: 5, result: { statusCode: 204 } };
    };
    const burst = await deliverBurst({ seed, count: 60, workers: 4, answer });
    expect(new Set(burst.statuses)).toEqual(new Set(['delivered']));
    expect(burst.posts).toEqual(burst.attempts);
    expect(burst.most).toBeLessThanOrEqual(5);
    expect(burst.endpoint).not.toHaveProperty('inFlight');
  },
);

it.each(seeds)('a burst is delivered although the database loses some requests and some answers (%i)', async (seed) => {
  const { posts, most, statuses, endpoint, now } = await deliverBurst({ seed, count: 50, workers: 5, lost: 0.06 });
  expect(new Set(statuses)).toEqual(new Set(['delivered']));
  expect(Math.min(...posts)).toBe(1);
  expect(most).toBeLessThanOrEqual(5);
  expect(lostSlots(endpoint, now + minute)).toEqual([...(endpoint.inFlight ?? [])]);
});
