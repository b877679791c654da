import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { publisher, busSender } from '../../functions/messages/webhooks/event-bus.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import type { EventRow } from '../../functions/domain/webhooks/event.ts';
import { hour, minute, toIso } from '../../functions/domain/time.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { postponeDue } from '../../functions/store/due-index.ts';
import { getEvents, undispatchedEvents } from '../../functions/store/webhooks/events.ts';
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { publishEvents, publishRecords, type OutboxTools } from '../../functions/webhooks/outbox.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { anEntry } from '../support/create-practice.ts';
import { awsConfig, beforeEachCall } from '../support/answered-client.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const calls: string[][] = [];
let entries: { Detail: string; DetailType: string }[] = [];
const refusals = new Map<string, number>();
const outages: number[] = [];
const server = createServer(async (request, response) => {
  ({ Entries: entries } = (await json(request)) as { Entries: typeof entries });
  const ids = entries.map(({ Detail }) => (JSON.parse(Detail) as { eventId: string }).eventId);
  const call = calls.push(ids);
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  if (outages.includes(call))
    return void response.writeHead(400).end(JSON.stringify({ __type: 'AccessDeniedException' }));
  const answers = ids.map((id) => {
    const left = refusals.get(id) ?? 0;
    refusals.set(id, left - 1);
    return left > 0
      ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' }
      : { EventId: crypto.randomUUID() };
  });
  response.end(
    JSON.stringify({ Entries: answers, FailedEntryCount: answers.filter(({ ErrorCode }) => ErrorCode).length }),
  );
});

const client = new EventBridgeClient(awsConfig(`http://127.0.0.1:${await startServer(server, afterAll)}`));

const waits: number[] = [];
const parked: Ticket[] = [];
beforeEach(() => {
  for (const list of [calls, outages, waits, parked]) list.length = 0;
  refusals.clear();
});

const publish = publisher(busSender('bus', client, async (delay) => void waits.push(delay)));
const tables = await startTestTables();
const { database } = tables;
const tools: OutboxTools = {
  database,
  publish,
  sendDeliveries: async () => {},
  park: async (tickets) => void parked.push(...tickets),
  clock: Date.now,
};

function anEvent(eventId: string) {
  return {
    eventId,
    sessionId: 'ses_1',
    practiceId: 'prc_1',
    type: 'session.payment.succeeded',
    createdAt: '2026-11-20T09:00:00.000Z',
    body: '{}',
  } as const satisfies EventRow;
}

/** An id that starts with "poison" makes an invalid row. */
function records(...ids: string[]): DynamoDBRecord[] {
  return ids.map((id, index) => {
    const { eventId: _, ...attributes } = anEvent(id);
    const image = id.startsWith('poison')
      ? { eventId: { S: id }, body: { S: '{"data":{"invoiceId":"INV-1"}}' } }
      : Object.fromEntries(Object.entries({ eventId: id, ...attributes }).map(([name, value]) => [name, { S: value }]));
    return { eventName: 'INSERT', dynamodb: { SequenceNumber: String(index), NewImage: image } };
  });
}

describe('the bus', () => {
  // A successful call hid rejected entries: https://github.com/swarmion/swarmion/pull/1890,
  // https://github.com/segmentio/action-destinations/pull/2828
  it('gets a rejected event again, without the nine that it accepted', async () => {
    refusals.set('e2', 1);
    const ids = Array.from({ length: 10 }, (_, index) => `e${index}`);
    expect(await publishRecords(tools, records(...ids)), 'no record is retried').toBeUndefined();
    expect(calls).toEqual([ids, ['e2']]);
  });

  it('gets rejected events again with exponential backoff', async () => {
    refusals.set('b', 2).set('d', 1);
    expect(await publish(['a', 'b', 'c', 'd'].map(anEvent))).toEqual([true, true, true, true]);
    expect(calls).toEqual([['a', 'b', 'c', 'd'], ['b', 'd'], ['b']]);
    expect(waits).toEqual([50, 200]);
  });

  it('gets nothing after a batch with an event that it keeps rejecting, and the rest of that batch once', async () => {
    refusals.set('e2', 100);
    const ids = Array.from({ length: 23 }, (_, index) => `e${index}`);
    expect(await publish(ids.map(anEvent))).toEqual(ids.map((id, index) => index < 10 && id !== 'e2'));
    expect(calls).toEqual([ids.slice(0, 10), ['e2'], ['e2'], ['e2']]);
  });

  it('gets the whole batch of a failed call again', async () => {
    outages.push(1);
    expect(await publish(['a', 'b'].map(anEvent))).toEqual([true, true]);
    expect(calls).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  // https://github.com/localstack/localstack/issues/10676: emulators accept more than ten.
  it('gets ten events at a time', async () => {
    expect(await publish(Array.from({ length: 21 }, (_, index) => anEvent(`e${index}`)))).toEqual(
      Array.from({ length: 21 }, () => true),
    );
    expect(calls.map(({ length }) => length)).toEqual([10, 10, 1]);
  });

  // https://github.com/a-h/stream/issues/8: three events of 100 KB were too big.
  it('gets only ids, so no event is too big for it', async () => {
    const big = Array.from({ length: 10 }, (_, index) => ({
      ...anEvent(`evt_${'0'.repeat(60)}${index}`),
      body: JSON.stringify('x'.repeat(390_000)),
    }));
    expect(await publish(big)).not.toContain(false);
    expect(calls).toHaveLength(1);
    for (const { Detail, DetailType } of entries) {
      expect(Object.keys(JSON.parse(Detail) as object)).toEqual(['eventId', 'sessionId', 'practiceId']);
      // EventBridge allows 128 characters, and 256 KB for all ten.
      expect(DetailType.length).toBeLessThanOrEqual(128);
      expect(Detail.length).toBeLessThan(1024);
    }
  });
});

describe('the outbox', () => {
  // https://github.com/floci-io/floci/issues/3152: to Lambda, an unknown identifier fails the whole batch.
  it('loses nothing and parks nothing twice, whatever the bus rejects and however often', async () => {
    const batch = fc.array(
      fc.record({
        poison: fc.boolean(),
        refused: fc.integer({ min: 0, max: 6 }),
        parkingFails: fc.integer({ min: 0, max: 2 }),
      }),
      { minLength: 1, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(batch, async (made) => {
        for (const list of [calls, parked]) list.length = 0;
        refusals.clear();
        const ids = made.map(({ poison }, index) => `${poison ? 'poison' : 'e'}${index}`);
        const unparked = new Map(ids.map((id, index) => [id, made[index]?.parkingFails ?? 0]));
        for (const [index, id] of ids.entries()) refusals.set(id, made[index]?.refused ?? 0);
        const park = async (tickets: readonly Ticket[]) => {
          const { eventId } = tickets[0]!.body as { eventId: string };
          const left = unparked.get(eventId) ?? 0;
          unparked.set(eventId, left - 1);
          if (left > 0) throw new Error('the queue is not there');
          parked.push(...tickets);
        };
        let rest = records(...ids);
        for (let tries = 0; rest.length > 0; tries += 1) {
          expect(tries).toBeLessThan(100);
          const failed = await publishRecords({ ...tools, park }, rest);
          const at =
            failed === undefined ? rest.length : rest.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
          expect(at, 'a record of the batch').toBeGreaterThanOrEqual(0);
          rest = rest.slice(at);
        }
        const published = new Set(calls.flat());
        expect(ids.filter((id) => id.startsWith('e') && !(published.has(id) && (refusals.get(id) ?? 0) < 0))).toEqual(
          [],
        );
        expect(parked.map(({ body }) => (body as { eventId: string }).eventId)).toEqual(
          ids.filter((id) => id.startsWith('poison')),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('is retried from the first event that the bus keeps rejecting', async () => {
    refusals.set('b', 100);
    expect(await publishRecords(tools, records('a', 'b', 'c'))).toBe('1');
  });

  it('parks the ID of a row that is not an event, without what else is in it, and continues', async () => {
    expect(await publishRecords(tools, records('a', 'poison', 'b'))).toBeUndefined();
    expect(calls).toEqual([['a', 'b']]);
    expect(parked).toEqual([{ body: { sequenceNumber: '1', eventId: 'poison' } }]);
  });

  it('parks a malformed image', async () => {
    const broken = {
      eventName: 'INSERT',
      dynamodb: { SequenceNumber: '0', NewImage: { eventId: { X: 'poison' } } },
    } as unknown as DynamoDBRecord;
    expect(await publishRecords(tools, [broken])).toBeUndefined();
    expect(parked).toHaveLength(1);
  });

  it('parks a row once, after everything before it has reached the bus', async () => {
    refusals.set('b', 4);
    const all = records('poison 1', 'a', 'b', 'poison 2', 'c');
    expect(await publishRecords(tools, all)).toBe('2');
    expect(parked).toHaveLength(1);
    expect(await publishRecords(tools, all.slice(2))).toBeUndefined();
    expect(parked.map(({ body }) => body)).toMatchObject([{ eventId: 'poison 1' }, { eventId: 'poison 2' }]);
  });

  it('is retried from a row that could not be parked', async () => {
    const park = async () => Promise.reject(new Error('the queue is not there'));
    expect(await publishRecords({ ...tools, park }, records('a', 'poison', 'b'))).toBe('1');
  });
});

describe('what the bus accepted', () => {
  async function inOutbox(endpoint: Awaited<ReturnType<typeof anEndpoint>>, count: number): Promise<EventRow[]> {
    const ids = await aFewAtOnce(count, () => endpoint.outboxEvent());
    return getEvents(database, ids);
  }
  const deliveriesOf = (events: readonly EventRow[], endpointId: string) =>
    Promise.all(events.map(({ eventId }) => getDelivery(database, { eventId, endpointId })));
  const dueOnes = async (events: readonly EventRow[]) =>
    (
      await getEvents(
        database,
        events.map(({ eventId }) => eventId),
      )
    ).filter(({ dueAt }) => dueAt !== undefined).length;

  it('has a delivery and a ticket for each endpoint, and what it rejected has none', async () => {
    const endpoint = await anEndpoint(tables);
    const events = await inOutbox(endpoint, 3);
    const [one, two, three] = events.map(({ eventId }) => eventId);
    refusals.set(two ?? '', 100);
    expect(await publishEvents({ ...endpoint.tools, publish }, events)).toEqual([true, false, true]);
    expect(endpoint.state.tickets).toHaveLength(2);
    await endpoint.drain();
    expect((await deliveriesOf(events, endpoint.endpointId)).map((row) => row?.status)).toEqual([
      'delivered',
      undefined,
      'delivered',
    ]);
    expect(endpoint.posted()).toEqual([one, three]);
  });

  it("is dispatched together, with one read of a practice's endpoints", async () => {
    const [endpoint, other] = [await anEndpoint(tables), await anEndpoint(tables)];
    const events = [...(await inOutbox(endpoint, 12)), ...(await inOutbox(other, 3))];
    const sent: number[] = [];
    const sendDeliveries = async (tickets: readonly Ticket[]) => void sent.push(tickets.length);
    let looks = 0;
    const watched = beforeEachCall(database, async ({ operation }) => {
      if (operation === 'Query') looks += 1;
    });
    await publishEvents({ ...tools, database: watched, sendDeliveries }, events);
    expect(sent).toEqual([15]);
    expect(looks).toBe(2);
  });

  it('has its tickets beside those of the same endpoint, in the order of the events', async () => {
    const [endpoint, other] = [await anEndpoint(tables), await anEndpoint(tables)];
    const [own, others] = [await inOutbox(endpoint, 3), await inOutbox(other, 3)];
    const events = own.flatMap((event, index) => [event, ...others.slice(index, index + 1)]);
    const sent: Ticket[] = [];
    await publishEvents({ ...tools, sendDeliveries: async (tickets) => void sent.push(...tickets) }, events);
    expect(sent.map(({ body }) => (body as DeliveryTicket).eventId)).toEqual(
      [...own, ...others].map(({ eventId }) => eventId),
    );
  });

  it('stays due if its dispatch fails, and holds up neither the others nor the stream', async () => {
    const [endpoint, other] = [await anEndpoint(tables), await anEndpoint(tables)];
    const events = [...(await inOutbox(endpoint, 1)), ...(await inOutbox(other, 1))];
    const watched = beforeEachCall(database, async ({ operation, input }) => {
      if (operation === 'Query' && JSON.stringify(input).includes(endpoint.practiceId))
        throw new Error('the database does not answer');
    });
    const { sendDeliveries } = other.tools;
    const failing = { ...tools, database: watched, sendDeliveries };
    expect(await publishEvents(failing, events)).toEqual([true, true]);
    expect(other.state.tickets.map(({ groupId }) => groupId)).toEqual([other.endpointId]);
    const [failed, dispatched] = await getEvents(
      database,
      events.map(({ eventId }) => eventId),
    );
    expect(failed).toHaveProperty('dueAt');
    expect(dispatched).not.toHaveProperty('dueAt');
  });

  it('is dispatched although the row of another event in its batch is invalid', async () => {
    const endpoint = await anEndpoint(tables);
    const [broken, sound] = await inOutbox(endpoint, 2);
    if (!broken || !sound) throw new Error('two were stored');
    const Item = { ...broken, type: 'unheard of' };
    await database.documents.send(new PutCommand({ TableName: database.tables.events, Item }));
    expect(await publishEvents({ ...endpoint.tools, publish }, [broken, sound])).toEqual([true, true]);
    await endpoint.drain();
    expect(endpoint.posted()).toEqual([sound.eventId]);
  });

  it('stays due if its ticket cannot be sent', async () => {
    const endpoint = await anEndpoint(tables);
    const events = await inOutbox(endpoint, 2);
    const sendDeliveries = async () => Promise.reject(new Error('the queue is not there'));
    expect(await publishEvents({ ...tools, sendDeliveries }, events)).toEqual([true, true]);
    expect(await dueOnes(events)).toBe(2);
  });

  it('goes to no endpoint that was created after its webhooks ended, if the stream brings it again', async () => {
    const endpoint = await anEndpoint(tables);
    const { practiceId, endpointId, state } = endpoint;
    const events = await inOutbox(endpoint, 1);
    await publishEvents({ ...endpoint.tools, publish }, events);
    await endpoint.drain();
    await deleteWebhookEndpoint(database, { practiceId, endpointId }, anEntry(practiceId));
    const added = await endpoint.addEndpoint();
    expect(await publishEvents({ ...endpoint.tools, publish }, events)).toEqual([true]);
    expect(await deliveriesOf(events, added)).toEqual([undefined]);
    expect(state.tickets).toEqual([]);
  });

  it('is read again only if an endpoint that wants it was created, or changed its event types, about then or later', async () => {
    const endpoint = await anEndpoint(tables);
    const { practiceId, endpointId, state } = endpoint;
    const reads = async () => {
      const read: string[] = [];
      const watched = beforeEachCall(database, ({ operation }) => void read.push(operation));
      await publishEvents({ ...endpoint.tools, database: watched, publish }, await inOutbox(endpoint, 1));
      return read;
    };
    const writes = ['PutItem', 'UpdateItem'];
    const [fromStream, again] = [
      ['BatchGetItem', 'Query', ...writes],
      ['BatchGetItem', 'Query', 'BatchGetItem', ...writes],
    ];
    expect(await reads()).toEqual(again);
    // The clock of the machine that wrote the endpoint may be minutes off.
    state.now += 14 * minute;
    expect(await reads()).toEqual(again);
    state.now += 2 * minute;
    expect(await reads()).toEqual(fromStream);
    const change = async (id: string, eventTypes: string[] | 'all') =>
      updateWebhookEndpoint(
        database,
        { practiceId, endpointId: id },
        { eventTypes },
        { ...anEntry(practiceId), at: toIso(state.now) },
      );
    await change(endpointId, 'all');
    expect(await reads()).toEqual(again);
    state.now += hour;
    expect(await reads()).toEqual(fromStream);
    await change(await endpoint.addEndpoint(), ['session.payment.returned']);
    expect(await reads()).toEqual(fromStream);
  });

  it('goes to no endpoint that came to want its type after it was dispatched, if the stream brings it again', async () => {
    const endpoint = await anEndpoint(tables);
    const { practiceId, state } = endpoint;
    const other = await endpoint.addEndpoint();
    const key = { practiceId, endpointId: other };
    await updateWebhookEndpoint(database, key, { eventTypes: ['session.payment.returned'] }, anEntry(practiceId));
    state.now += hour;
    const events = await inOutbox(endpoint, 1);
    await publishEvents({ ...endpoint.tools, publish }, events);
    await endpoint.drain();
    const entry = { ...anEntry(practiceId), at: toIso(state.now + minute) };
    await updateWebhookEndpoint(database, key, { eventTypes: 'all' }, entry);
    expect(await publishEvents({ ...endpoint.tools, publish }, events)).toEqual([true]);
    expect(await deliveriesOf(events, other)).toEqual([undefined]);
    expect(state.tickets).toEqual([]);
  });

  it.each([1, 2])(
    'is delivered once to each of %i endpoints if the stream brings it again later',
    async (endpoints) => {
      const endpoint = await anEndpoint(tables);
      for (let added = 1; added < endpoints; added += 1) await endpoint.addEndpoint();
      endpoint.state.now += hour;
      const events = await inOutbox(endpoint, 1);
      for (let brought = 0; brought < 2; brought += 1) {
        await publishEvents({ ...endpoint.tools, publish }, events);
        await endpoint.drain();
      }
      expect(endpoint.posted()).toHaveLength(endpoints);
      expect(await dueOnes(events)).toBe(0);
    },
  );

  it('has a delivery with its own due time if the sweep was first', async () => {
    const endpoint = await anEndpoint(tables);
    const events = await inOutbox(endpoint, 1);
    endpoint.state.now += 2 * minute;
    await postponeDue(undispatchedEvents(database), endpoint.state.now, 1000);
    await publishEvents({ ...endpoint.tools, publish }, events);
    expect(await dueOnes(events)).toBe(0);
    expect(await deliveriesOf(events, endpoint.endpointId)).toMatchObject([{ dueShard: expect.any(String) as string }]);
  });

  it('is left to the sweep if the database does not answer for seconds', async () => {
    const endpoint = await anEndpoint(tables);
    const events = await inOutbox(endpoint, 2);
    let requests = 0;
    const silent = createServer(() => void (requests += 1));
    const call = dynamoDb(awsConfig(`http://127.0.0.1:${await startServer(silent, afterAll)}`));
    expect(await publishEvents({ ...tools, database: { ...database, call } }, events)).toEqual([true, true]);
    expect(requests, 'no time is left for a third attempt of the two reads').toBeLessThanOrEqual(4);
    expect(await dueOnes(events)).toBe(2);
  });
});
