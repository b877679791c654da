import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../../functions/domain/identifier.ts';
import { minute, toIso } from '../../../functions/domain/time.ts';
import { traced } from '../../../functions/log.ts';
import { transact } from '../../../functions/store/transact.ts';
import {
  eraseMetadata,
  eventReader,
  getEvent,
  markDispatched,
  putEvent,
  putPracticeEvent,
  putTestEvent,
  rescheduleDispatch,
} from '../../../functions/store/webhooks/events.ts';
import type { Part } from '../../../functions/store/writes.ts';
import { beforeEachCall, countRequests } from '../../support/answered-client.ts';
import { aSession } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const anEventId = () => `evt_${ulid(now, randomBytes)}_1`;

async function store(event: Part): Promise<string> {
  await transact(database, { event });
  return event.Put?.Item?.['eventId']?.S ?? expect.fail('no event');
}

async function anEvent(writtenAt?: number) {
  const session = aSession({ sessionId: `ses_${ulid(now, randomBytes)}`, sequence: 1 });
  const event = putEvent(database, 'session.payment.succeeded', session, 'processing', now, writtenAt);
  return { event, eventId: await store(event) };
}

const raw = async (eventId: string) =>
  (await database.documents.send(new GetCommand({ TableName: database.tables.events, Key: { eventId } }))).Item;

describe('an event', () => {
  it('is left to its dispatch for two minutes after it was written, then to the sweep', async () => {
    expect(await getEvent(database, (await anEvent()).eventId)).toMatchObject({ dueAt: toIso(now + 2 * minute) });
    const late = await getEvent(database, (await anEvent(now + minute)).eventId);
    expect(late).toMatchObject({ createdAt: toIso(now), dueAt: toIso(now + 3 * minute) });
    const of = { platformId: 'plt_1', practiceId: 'prc_1', livemode: true, joinedAt: toIso(now) };
    const leftAt = toIso(now + minute);
    const moves = [putPracticeEvent(database, { ...of, eventId: anEventId() })];
    moves.push(putPracticeEvent(database, { ...of, eventId: anEventId(), leftAt }));
    const [joined, left] = await Promise.all(moves.map(async (move) => getEvent(database, await store(move))));
    expect(joined).toMatchObject({ type: 'practice.joined', createdAt: toIso(now), dueAt: toIso(now + 2 * minute) });
    expect(left).toMatchObject({ type: 'practice.left', createdAt: leftAt, dueAt: toIso(now + 3 * minute) });
  });

  it('names the request that it goes back to, if there is one', async () => {
    const { eventId } = await traced('req_1', () => anEvent());
    expect(await getEvent(database, eventId)).toMatchObject({ requestId: 'req_1' });
    expect(await raw((await anEvent()).eventId)).not.toHaveProperty('requestId');
  });

  it('is written once', async () => {
    const { event, eventId } = await anEvent();
    await markDispatched(database, eventId);
    expect(await transact(database, { event })).toBeDefined();
    expect(await getEvent(database, eventId)).not.toHaveProperty('dueAt');
  });

  it('that tests an endpoint is in the list of a platform only if the platform sent it', async () => {
    for (const practiceId of ['prc_1', 'plt_1']) {
      const test = putTestEvent(database, { eventId: anEventId(), practiceId, livemode: false }, now);
      const { platformId } = (await raw(await store(test))) ?? {};
      expect(platformId).toBe(practiceId === 'plt_1' ? 'plt_1' : undefined);
    }
  });

  it('that was dispatched is listed for the platform that got it, and is not dispatched again', async () => {
    const { eventId } = await anEvent();
    expect(await rescheduleDispatch(database, eventId, now)).toBe(true);
    expect(await getEvent(database, eventId)).toMatchObject({ dueAt: toIso(now) });
    await markDispatched(database, eventId, 'plt_1');
    expect(await raw(eventId)).toMatchObject({ platformId: 'plt_1' });
    expect(await rescheduleDispatch(database, eventId, now)).toBe(false);
    expect(await raw(eventId)).not.toHaveProperty('dueAt');
  });

  it('that is no longer stored is not brought back', async () => {
    await markDispatched(database, 'evt_gone');
    expect(await rescheduleDispatch(database, 'evt_gone', now)).toBe(false);
    expect(await raw('evt_gone')).toBeUndefined();
  });
});

describe('erasing the metadata of events', () => {
  it('writes only those that have any', async () => {
    const { eventId } = await anEvent();
    const { database: counted, requests } = countRequests(database);
    await eraseMetadata(counted, [eventId, 'evt_gone']);
    expect(await getEvent(database, eventId)).toMatchObject({ body: expect.stringContaining('"metadata":{}') });
    expect(requests()).toEqual({ events: 2 });
    await eraseMetadata(counted, [eventId]);
    expect(requests()).toEqual({ events: 1 });
  });

  it('does not bring back one that is deleted in the meantime', async () => {
    const { eventId } = await anEvent();
    const deleted = beforeEachCall(database, async ({ operation }) => {
      if (operation === 'UpdateItem')
        await database.call('DeleteItem', { TableName: database.tables.events, Key: { eventId: { S: eventId } } });
    });
    await eraseMetadata(deleted, [eventId]);
    expect(await raw(eventId)).toBeUndefined();
  });
});

describe('the events of a batch', () => {
  it('are read together and once', async () => {
    const eventIds = [(await anEvent()).eventId, (await anEvent()).eventId];
    const { database: counted, requests } = countRequests(database);
    const read = eventReader(counted, [...eventIds, ...eventIds, 'evt_gone']);
    const found = await Promise.all([...eventIds, 'evt_gone'].map(read));
    expect(found.map((event) => event?.eventId)).toEqual([...eventIds, undefined]);
    expect(requests()).toEqual({ events: 1 });
  });

  it('are read one by one if they cannot be read together', async () => {
    const { eventId } = await anEvent();
    await database.call('PutItem', { TableName: database.tables.events, Item: { eventId: { S: 'evt_bad' } } });
    const read = eventReader(database, [eventId, 'evt_bad']);
    await expect(read('evt_bad')).rejects.toThrow();
    expect(await read(eventId)).toMatchObject({ eventId });
  });
});
