import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publisher } from '../../functions/messages/event-bus.ts';
import { publishRecords, type OutboxTools } from '../../functions/messages/outbox.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import type { EventRow } from '../../functions/store/events.ts';

/** A bus that refuses an event as often as it is told, and does not answer to the calls that it is told. */
const calls: string[][] = [];
const refusals = new Map<string, number>();
const outages: number[] = [];
const server = createServer(async (request, response) => {
  const { Entries } = (await json(request)) as { Entries: { Detail: string }[] };
  const ids = Entries.map(({ Detail }) => (JSON.parse(Detail) as { eventId: string }).eventId);
  const call = calls.push(ids);
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  if (outages.includes(call)) return void response.writeHead(400).end(JSON.stringify({ __type: 'AccessDeniedException' }));
  const answers = ids.map((id) => {
    const left = refusals.get(id) ?? 0;
    refusals.set(id, left - 1);
    return left > 0 ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' } : { EventId: crypto.randomUUID() };
  });
  response.end(JSON.stringify({ Entries: answers, FailedEntryCount: answers.filter(({ ErrorCode }) => ErrorCode).length }));
});

let client: EventBridgeClient;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new EventBridgeClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });
});
afterAll(() => {
  client.destroy();
  server.close();
});

const waits: number[] = [];
const parked: Ticket[] = [];
beforeEach(() => {
  for (const list of [calls, outages, waits, parked]) list.length = 0;
  refusals.clear();
});

const publish = (events: readonly EventRow[]) => publisher('bus', client, async (delay) => void waits.push(delay))(events);
const tools: OutboxTools = { publish, park: async (tickets) => void parked.push(...tickets) };

function anEvent(eventId: string): EventRow {
  return { eventId, sessionId: 'ses_1', practiceId: 'prc_1', type: 'session.payment.succeeded', createdAt: '2026-11-20T09:00:00.000Z', body: '{}' };
}

/** A record of the stream, its sequence number that of its position; an id that begins so is of a row that is no event. */
function records(...ids: string[]): DynamoDBRecord[] {
  return ids.map((id, index) => {
    const { eventId: _, ...attributes } = anEvent(id);
    const image = id.startsWith('poison') ? { eventId: { S: id } } : Object.fromEntries(Object.entries({ eventId: id, ...attributes }).map(([name, value]) => [name, { S: String(value) }]));
    return { eventName: 'INSERT', dynamodb: { SequenceNumber: String(index), NewImage: image } };
  });
}

describe('the bus', () => {
  it('gets only the entries again that it refused, after longer and longer waits', async () => {
    refusals.set('b', 2).set('d', 1);
    expect(await publish(['a', 'b', 'c', 'd'].map(anEvent))).toEqual([true, true, true, true]);
    expect(calls).toEqual([['a', 'b', 'c', 'd'], ['b', 'd'], ['b']]);
    expect(waits).toEqual([50, 200]);
  });

  it('gets nothing beyond the ten with one that it goes on refusing, and each of the others once', async () => {
    refusals.set('e2', 100);
    const ids = Array.from({ length: 23 }, (_, index) => `e${index}`);
    expect(await publish(ids.map(anEvent))).toEqual(ids.map((id, index) => index < 10 && id !== 'e2'));
    expect(calls).toEqual([ids.slice(0, 10), ['e2'], ['e2'], ['e2']]);
  });

  it('gets everything of a call again that it did not answer', async () => {
    outages.push(1);
    expect(await publish(['a', 'b'].map(anEvent))).toEqual([true, true]);
    expect(calls).toEqual([['a', 'b'], ['a', 'b']]);
  });

  it('is told ten events at a time', async () => {
    expect(await publish(Array.from({ length: 21 }, (_, index) => anEvent(`e${index}`)))).toEqual(Array.from({ length: 21 }, () => true));
    expect(calls.map(({ length }) => length)).toEqual([10, 10, 1]);
  });
});

describe('the outbox', () => {
  it('comes again from the first event that the bus goes on refusing', async () => {
    refusals.set('b', 100);
    expect(await publishRecords(records('a', 'b', 'c'), tools)).toBe('1');
  });

  it('parks a row that is no event with its image, and goes on', async () => {
    expect(await publishRecords(records('a', 'poison', 'b'), tools)).toBeUndefined();
    expect(calls).toEqual([['a', 'b']]);
    expect(parked).toEqual([{ body: { sequenceNumber: '1', image: { eventId: { S: 'poison' } } } }]);
  });

  it('parks an image that is none of DynamoDB', async () => {
    const broken = { eventName: 'INSERT', dynamodb: { SequenceNumber: '0', NewImage: { eventId: { X: 'poison' } } } } as unknown as DynamoDBRecord;
    expect(await publishRecords([broken], tools)).toBeUndefined();
    expect(parked).toHaveLength(1);
  });

  it('parks a row only once, when what was before it has reached the bus', async () => {
    refusals.set('b', 4);
    const all = records('poison 1', 'a', 'b', 'poison 2', 'c');
    expect(await publishRecords(all, tools)).toBe('2');
    expect(parked).toHaveLength(1);
    expect(await publishRecords(all.slice(2), tools)).toBeUndefined();
    expect(parked.map(({ body }) => body)).toMatchObject([{ image: { eventId: { S: 'poison 1' } } }, { image: { eventId: { S: 'poison 2' } } }]);
  });

  it('comes again from a row that could not be parked', async () => {
    const park = async () => Promise.reject(new Error('the queue is not there'));
    expect(await publishRecords(records('a', 'poison', 'b'), { publish, park })).toBe('1');
  });
});
