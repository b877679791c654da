import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { QueryInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { due, ticketGrace } from '../../functions/domain/due.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { second, toIso } from '../../functions/domain/time.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import type { Database } from '../../functions/store/database.ts';
import { postponeDue } from '../../functions/store/due-index.ts';
import { dueSessions } from '../../functions/store/sessions/sessions.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { deliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { createDelivery } from '../../functions/store/webhooks/deliveries.ts';
import type { Output } from '../../functions/store/dynamodb.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';
import { sweepTools } from '../support/tools.ts';
import { putAll } from '../support/put-all.ts';
import { beforeEachCall, aroundEachCall } from '../support/answered-client.ts';

const { database } = await startTestTables();

async function putDue(duty: 'expiry' | 'debit', count: number): Promise<string[]> {
  const dueAt = Date.now() - second;
  const sessionIds = Array.from({ length: count }, () => `ses_${ulid(dueAt, randomBytes)}`);
  const rows = sessionIds.map((sessionId) => ({
    ...aSession({ sessionId, expiresAt: toIso(dueAt) }),
    ...due(duty, sessionId, dueAt),
  }));
  await putAll(database, 'sessions', rows);
  return sessionIds;
}

const idsOf = (tickets: readonly Ticket[]) => tickets.map(({ body }) => (body as { sessionId: string }).sessionId);

/** Fails the writes of one row. */
function failingFor(sessionId: string): Database {
  return beforeEachCall(database, ({ operation, input }) => {
    if (operation === 'UpdateItem' && input.Key?.['sessionId']?.S === sessionId) throw new Error('throttled');
  });
}

describe('a round of the sweep', () => {
  it('postpones the other rows if one cannot be postponed, and counts that one as failed', async () => {
    const sessionIds = await putDue('debit', 12);
    const rows = dueSessions(failingFor(sessionIds[0] ?? ''), 'debit');
    const { keys, errors } = await postponeDue(rows, Date.now(), 25);
    expect(keys.map(({ sessionId }) => sessionId).sort()).toEqual(sessionIds.slice(1).sort());
    expect(errors).toHaveLength(1);
    const sent: string[] = [];
    const tools = sweepTools(failingFor(sessionIds[0] ?? ''), {
      sendDebits: async (tickets) => void sent.push(...idsOf(tickets)),
    });
    await expect(sweep(tools)).rejects.toThrow('1 due rows failed');
  });

  it(
    'sends expirations as tickets, ten in a request, and keeps no other work waiting',
    { timeout: 60_000 },
    async () => {
      const expired = await putDue('expiry', 240);
      const [debit] = await putDue('debit', 1);
      const order: string[] = [];
      const batches: number[] = [];
      await sweep(
        sweepTools(database, {
          sendExpirations: async (tickets) => {
            batches.push(tickets.length);
            order.push(...idsOf(tickets));
          },
          sendDebits: async (tickets) => void order.push(...idsOf(tickets)),
        }),
      );
      expect(order.toSorted()).toEqual(expect.arrayContaining([...expired, debit].toSorted()));
      expect(Math.max(...batches)).toBe(10);
      expect(batches.length).toBeLessThan(expired.length / 5);
      expect(order.indexOf(debit ?? '')).toBeLessThan(160);
    },
  );
});

const tables = await startTestTables();

type Item = Readonly<Record<string, unknown>>;

/** Each state of a shard that is read is shown `lag` times. */
function lagging(database: Database, lag: number) {
  const snapshots = new Map<string, { reads: number; items: Promise<Item[]> }>();
  let reads = 0;

  async function wholeShard(input: QueryInput): Promise<Item[]> {
    const { ExclusiveStartKey: _, Limit: __, ...all } = input;
    const { Items = [] } = await database.call('Query', all);
    return Items;
  }
  async function query(input: QueryInput): Promise<Output<'Query'>> {
    const { ExclusiveStartKey: after, Limit: limit = Infinity, ExpressionAttributeValues: values } = input;
    const shard = Object.values(values ?? {})[0]?.S;
    const id = `${input.TableName} ${shard}`;
    reads += 1;
    let snapshot = snapshots.get(id);
    if (!snapshot || snapshot.reads === lag) snapshots.set(id, (snapshot = { reads: 0, items: wholeShard(input) }));
    snapshot.reads += 1;
    const position = ({ dueAt, eventId, endpointId }: Item) => [dueAt, eventId, endpointId].join(' ');
    const behind = (await snapshot.items)
      .sort((one, other) => (position(one) < position(other) ? -1 : 1))
      .filter((item) => !after || position(item) > position(unmarshall(after)));
    const Items = behind.slice(0, limit);
    return { Items, ...(behind.length >= limit && { LastEvaluatedKey: Items.at(-1) }) };
  }
  return {
    database: aroundEachCall(database, async ({ operation, input }, perform) =>
      operation === 'Query' && input.IndexName === 'byDue' ? query(input) : perform(),
    ),
    reads: () => reads,
  };
}

async function lostTickets(count: number) {
  const endpointId = `whe_${ulid(Date.now(), randomBytes)}`;
  const createdAt = Date.now() - ticketGrace - 1000;
  const eventIds = Array.from({ length: count }, () => `evt_${ulid(createdAt, randomBytes)}_1`);
  await Promise.all(
    eventIds.map((eventId) =>
      createDelivery(
        tables.database,
        { eventId, practiceId: 'prc_1', type: 'session.payment.succeeded' },
        { practiceId: 'prc_1', endpointId, status: 'enabled' },
        createdAt,
      ),
    ),
  );
  const sent: string[] = [];
  const tools = sweepTools(tables.database, {
    sendDeliveries: async (tickets) =>
      void sent.push(
        ...tickets
          .filter(({ groupId }) => groupId === endpointId)
          .map(({ body }) => deliveryTicket.parse(body).eventId),
      ),
  });
  return { eventIds: eventIds.sort(), sent, tools };
}

describe('a sweep of a lagging index', () => {
  it.each([1, 3, Infinity])('gets every due row once, if each state is read %s times', async (lag) => {
    const { eventIds, sent, tools } = await lostTickets(200);
    const { database, reads } = lagging(tables.database, lag);
    await sweep({ ...tools, database });
    expect(sent.sort()).toEqual(eventIds);
    expect(reads(), 'it does not read again what it has postponed').toBeLessThan(200);
  });

  it('gets every row once if two sweeps run at the same time', async () => {
    const { eventIds, sent, tools } = await lostTickets(100);
    await Promise.all([1, 2].map(() => sweep({ ...tools, database: lagging(tables.database, 3).database })));
    expect(sent.sort()).toEqual(eventIds);
  });

  it('stops when its time is up, and the next run gets the rest', async () => {
    const { eventIds, sent, tools } = await lostTickets(200);
    let now = Date.now();
    const { database } = lagging(tables.database, Infinity);
    await sweep({ ...tools, database, clock: () => (now += 500) });
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(200);
    await sweep({ ...tools, database: tables.database });
    expect(sent.sort()).toEqual(eventIds);
  });
});
