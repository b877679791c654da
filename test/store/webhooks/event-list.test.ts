import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { ulid } from '../../../functions/domain/identifier.ts';
import { day, minute, second, toIso } from '../../../functions/domain/time.ts';
import type { SessionEventType } from '../../../functions/domain/sessions/transitions.ts';
import { listEvents } from '../../../functions/webhooks/list-events.ts';
import { connect } from '../../../functions/store/database.ts';
import { dynamoDb } from '../../../functions/store/dynamodb.ts';
import { eventIdPages, readEventsBetween, readEventsSince } from '../../../functions/store/webhooks/event-list.ts';
import { getEvent, putEvent, putTestEvent } from '../../../functions/store/webhooks/events.ts';
import { transact } from '../../../functions/store/transact.ts';
import { meterDynamoDb } from '../../bench/dynamodb-meter.ts';
import { fillEvents } from '../../bench/fill-payments.ts';
import { awsConfig } from '../../support/answered-client.ts';
import { aSession } from '../../support/examples.ts';
import { problemOf } from '../../support/problems.ts';
import { storeSession } from '../../support/create-practice.ts';
import { startTestTables } from '../../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;

const now = Date.parse('2026-11-20T10:00:00.000Z');
const aPracticeId = () => `prc_${randomBytes(8).toString('hex')}`;
const times = <Value>(length: number, value: (index: number) => Value) => Array.from({ length }, (_, at) => value(at));

async function store(
  practiceId: string,
  at: number,
  type: SessionEventType = 'session.payment.succeeded',
  differences: Partial<Session> = {},
): Promise<string> {
  const session = aSession({ practiceId, sessionId: `ses_${ulid(at, randomBytes)}`, sequence: 1, ...differences });
  const event = putEvent(database, type, session, 'processing', at);
  await transact(database, { event });
  return event.Put?.Item?.['eventId']?.S ?? '';
}

/** Stores events one second apart. Returns their IDs, newest first. */
async function storeMany(practiceId: string, types: readonly (SessionEventType | undefined)[]): Promise<string[]> {
  const start = now - types.length * second;
  const ids = await Promise.all(types.map((type, index) => store(practiceId, start + index * second, type)));
  return ids.reverse();
}

type Filter = Omit<Parameters<typeof listEvents>[1], 'practiceId' | 'cursor'>;

async function walk(practiceId: string, filter: Filter, at = now, betweenPages = async () => {}) {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const { events, nextCursor } = await listEvents({ database }, { practiceId, cursor, ...filter }, at);
    pages.push(events.map(({ eventId }) => eventId));
    if (nextCursor === null) return pages;
    cursor = nextCursor;
    await betweenPages();
  }
}

describe('the list of events', () => {
  it('is newest first, and finds every event once while new ones are written', async () => {
    const practiceId = aPracticeId();
    const ids = await storeMany(
      practiceId,
      times(7, () => undefined),
    );
    const pages = await walk(practiceId, { limit: 2 }, now, async () => {
      await store(practiceId, now);
    });
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4, 6), ids.slice(6)]);
    expect((await walk(practiceId, { limit: 100 }))[0]).toHaveLength(10);
  });

  it('finds events of one moment once, in pages of any size', async () => {
    const practiceId = aPracticeId();
    const ids = await Promise.all(times(12, (index) => store(practiceId, now, undefined, { sequence: index + 1 })));
    for (const limit of [1, 5, 12]) {
      const found = (await walk(practiceId, { limit })).flat();
      expect(found).toEqual([...ids].sort().reverse());
    }
  });

  it("has the webhooks' own bodies, those of tests too", async () => {
    const practiceId = aPracticeId();
    const metadata = { location: 'Zürich „Nord“ \u2028 </script> 🏥' };
    const ofSession = await store(practiceId, now - minute, undefined, { metadata });
    const test = { eventId: `evt_${ulid(now, randomBytes)}`, practiceId, livemode: false };
    await transact(database, { event: putTestEvent(database, test, now) });
    const { events } = await listEvents({ database }, { practiceId, limit: 25 }, now);
    expect(events.map(({ eventId }) => eventId)).toEqual([test.eventId, ofSession]);
    for (const { eventId, body } of events) expect(body).toBe((await getEvent(database, eventId))?.body);
    expect(JSON.parse(events[1]?.body ?? '')).toMatchObject({ id: ofSession, practiceId, data: { metadata } });
    expect(await walk(practiceId, { type: ['webhook.test'], limit: 1 })).toEqual([[test.eventId]]);
  });

  it('leaves out what is older than 30 days, even if the database still has it', async () => {
    const practiceId = aPracticeId();
    await store(practiceId, now - 30 * day - 1);
    const justIn = await store(practiceId, now - 30 * day);
    for (const since of [undefined, toIso(now - 90 * day)])
      expect(await walk(practiceId, { since, limit: 25 })).toEqual([[justIn]]);
    expect(await walk(practiceId, { limit: 25 }, now + 1)).toEqual([[]]);
    await store(practiceId, now);
    const { nextCursor } = await listEvents({ database }, { practiceId, limit: 1 }, now);
    const cursor = nextCursor ?? expect.fail('no second page');
    const monthLater = await listEvents({ database }, { practiceId, cursor, limit: 1 }, now + 31 * day);
    expect(monthLater).toEqual({ events: [], nextCursor: null });
  });

  it('begins at a time, inclusive, and joins types', async () => {
    const practiceId = aPracticeId();
    const ids = await storeMany(
      practiceId,
      times(9, (index) => (index % 3 === 0 ? 'session.payment.failed' : undefined)),
    );
    const since = toIso(now - 6 * second);
    expect(await walk(practiceId, { since, limit: 4 })).toEqual([ids.slice(0, 4), ids.slice(4, 6)]);
    expect(await walk(practiceId, { since: toIso(now + day), limit: 4 })).toEqual([[]]);
    expect(await walk(practiceId, { since, type: ['session.payment.failed'], limit: 1 })).toEqual([[ids[2]], [ids[5]]]);
    expect(await walk(practiceId, { type: ['session.payment.failed', 'session.payment.succeeded'], limit: 9 })).toEqual(
      [ids],
    );
  });

  it('begins where the platform of the caller may look, unless asked for a later time', async () => {
    const practiceId = aPracticeId();
    const ids = await storeMany(
      practiceId,
      times(4, () => undefined),
    );
    const [earlier, later] = [toIso(now - 3 * second), toIso(now - second)];
    for (const [since, platformSince] of [
      [earlier, later],
      [later, earlier],
      [undefined, later],
    ])
      expect(await walk(practiceId, { since, platformSince, limit: 9 })).toEqual([ids.slice(0, 1)]);
  });

  it("never has another practice's events", async () => {
    await store(aPracticeId(), now);
    expect(await walk(aPracticeId(), { limit: 100 })).toEqual([[]]);
  });

  it('takes a cursor only with its filters and its practice', async () => {
    const practiceId = aPracticeId();
    await storeMany(practiceId, [undefined, undefined]);
    const { nextCursor } = await listEvents({ database }, { practiceId, limit: 1 }, now);
    const cursor = nextCursor ?? '';
    expect(cursor.length).toBeLessThanOrEqual(100);
    expect((await listEvents({ database }, { practiceId, cursor, limit: 9 }, now)).events).toHaveLength(1);
    for (const refused of [
      { practiceId: aPracticeId(), cursor },
      { practiceId, cursor, since: toIso(now - day) },
      { practiceId, cursor, type: ['webhook.test'] as const },
      { practiceId, cursor: `${cursor}0` },
      { practiceId, cursor: 'cur_' },
      { practiceId, cursor: 'cur_zzzzzzzzz_01KAG3ZQ8M0000000000000001_1aaaaaaaaaaaaaaaa' },
    ])
      expect(await problemOf(listEvents({ database }, { limit: 1, ...refused }, now))).toMatchObject({
        code: 'invalid_cursor',
      });
  });
});

describe('the events of a session', () => {
  it('are found by page, type and time', async () => {
    const practiceId = aPracticeId();
    const { sessionId } = await storeSession(database, { practiceId, sequence: 3 }, now);
    const steps = ['session.payment.processing', 'session.payment.succeeded', 'session.payment.returned'] as const;
    const [processing, succeeded, returned] = await Promise.all(
      steps.map((type, index) => store(practiceId, now - minute + index, type, { sessionId, sequence: index + 1 })),
    );
    await store(practiceId, now);
    expect(await walk(practiceId, { sessionId, limit: 2 })).toEqual([[returned, succeeded], [processing]]);
    expect(await walk(practiceId, { sessionId, type: [steps[0], steps[2]], limit: 1 })).toEqual([
      [returned],
      [processing],
    ]);
    expect(await walk(practiceId, { sessionId, since: toIso(now - minute + 1), limit: 25 })).toEqual([
      [returned, succeeded],
    ]);
    expect(await walk(practiceId, { sessionId, limit: 25 }, now - minute + 30 * day + 1)).toEqual([
      [returned, succeeded],
    ]);
  });

  it('of another practice are not found, like a session that never was', async () => {
    const { sessionId } = await storeSession(database, { practiceId: aPracticeId(), sequence: 1 }, now);
    for (const unknown of [sessionId, `ses_${ulid(now, randomBytes)}`, 'x'])
      expect(
        await problemOf(listEvents({ database }, { practiceId: aPracticeId(), sessionId: unknown, limit: 1 }, now)),
      ).toMatchObject({ code: 'session_not_found' });
  });
});

describe('a page', () => {
  const few = aPracticeId();
  const many = aPracticeId();
  const filled = Promise.all([fillEvents(database, few, 1000, now), fillEvents(database, many, 3200, now)]);

  it.each([
    ['of all events', {}],
    ['of events of the last 20 days', { since: toIso(now - 20 * day) }],
    ['of a type that all have', { type: ['session.payment.succeeded'] }],
    ['of a type that only the oldest has', { type: ['session.payment.returned'] }],
  ] as const)('%s costs the same with 1,000 and 3,200', async (_, filter) => {
    await filled;
    const meter = await meterDynamoDb(tables.endpoint);
    const through = connect(database.tables, dynamoDb(awsConfig(meter.endpoint)));
    const costs: number[] = [];
    for (const practiceId of [few, many]) {
      meter.reset();
      await listEvents({ database: through }, { practiceId, ...filter, limit: 25 }, now);
      costs.push(meter.readUnits.get(database.tables.events) ?? 0);
    }
    await meter.stop();
    expect(costs[0]).toBe(costs[1]);
    expect(costs[0]).toBeLessThan(40);
  });

  it('of a rare type can be empty, and the pages together find every match once', async () => {
    await filled;
    const pages = await walk(many, { type: ['session.payment.returned'], limit: 25 });
    expect(pages.map(({ length }) => length)).toEqual([0, 0, 0, 1, 0]);
  });
});

describe("a practice's stored events, oldest first,", () => {
  const position = (seconds: number) => toIso(now + seconds * second);
  const idsOf = (entries: readonly { readonly eventId: string }[]) => entries.map(({ eventId }) => eventId);

  async function threeEvents() {
    const practiceId = aPracticeId();
    const ids: string[] = [];
    for (let stored = 0; stored < 3; stored += 1) ids.push(await store(practiceId, now + stored * second));
    await store(aPracticeId(), now + second);
    return { practiceId, ids };
  }

  it('are read between two times', async () => {
    const { practiceId, ids } = await threeEvents();
    const between = { from: position(1), to: position(2) };
    expect(idsOf(await readEventsBetween(database, practiceId, between))).toEqual([ids[1]]);
  });

  it('are read from a time on, or after the last one that was read', async () => {
    const { practiceId, ids } = await threeEvents();
    const since = async (from: string, after?: string) =>
      readEventsSince(database, { practiceId, from, to: position(9), after });
    const first = await since(position(0));
    expect(idsOf(first)).toEqual(ids);
    expect(idsOf(await since(position(0), first[0]?.position))).toEqual(ids.slice(1));
    expect(await since(position(0), first[2]?.position)).toEqual([]);
  });

  it('are all found by their IDs', async () => {
    const { practiceId, ids } = await threeEvents();
    const found: string[] = [];
    for await (const page of eventIdPages(database, practiceId)) found.push(...page);
    expect(found).toEqual(ids);
  });
});
