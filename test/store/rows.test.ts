import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Database } from '../../functions/store/database.ts';
import { allOf, attribute, expression, oneOf } from '../../functions/store/expressions.ts';
import {
  get,
  getAll,
  insert,
  queryAll,
  queryPage,
  remove,
  removeIf,
  scanAll,
  update,
} from '../../functions/store/rows.ts';
import { transact } from '../../functions/store/transact.ts';
import { change, deleteRow, put, putNew } from '../../functions/store/writes.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { startTestTables } from '../support/tables.ts';

const { database }: { database: Database } = await startTestTables();

/** Most of these names are reserved words in DynamoDB. */
const row = z.object({
  eventId: z.string(),
  status: z.string().optional(),
  count: z.number().optional(),
  values: z.set(z.string()).optional(),
  map: z.record(z.string(), z.object({ name: z.string() })).optional(),
});
type Row = z.infer<typeof row>;

const newKey = () => ({ eventId: randomUUID() });

async function stored(attributes: Omit<Row, 'eventId'>): Promise<{ eventId: string }> {
  const key = newKey();
  await insert(database, 'events', { ...key, ...attributes }, 'eventId');
  return key;
}

describe('an insert', () => {
  it('writes a row once and keeps the first', async () => {
    const key = newKey();
    expect(await insert(database, 'events', { ...key, status: 'first' }, 'eventId')).toBe(true);
    expect(await insert(database, 'events', { ...key, status: 'second' }, 'eventId')).toBe(false);
    expect(await get(database, 'events', key, row)).toEqual({ ...key, status: 'first' });
  });
});

describe('an update', () => {
  it('sets, removes, adds and deletes attributes whose names are reserved words', async () => {
    const key = await stored({ status: 'old', count: 1, values: new Set(['a', 'b']), map: {} });
    const result = await update(
      database,
      'events',
      key,
      {
        set: { status: 'new', count: undefined },
        remove: ['map'],
        add: { count: 2 },
        delete: { values: new Set(['a']) },
        condition: expression`status = ${'old'} AND size(values) = ${2}`,
      },
      row,
    );
    const changed = { ...key, status: 'new', count: 3, values: new Set(['b']) };
    expect(result).toEqual({ written: true, row: changed });
    expect(await get(database, 'events', key, row)).toEqual(changed);
  });

  it('removes an attribute that is set to null, and leaves one that is set to undefined', async () => {
    const key = await stored({ status: 'old', count: 1 });
    const { row: changed } = await update(database, 'events', key, { set: { status: null, count: undefined } }, row);
    expect(changed).toEqual({ ...key, count: 1 });
  });

  it('adds to a set and drops one that becomes empty', async () => {
    const key = await stored({});
    const added = await update(database, 'events', key, { add: { values: new Set(['a', 'b']) } }, row);
    expect(added.row?.values).toEqual(new Set(['a', 'b']));
    const deleted = await update(database, 'events', key, { delete: { values: new Set(['a', 'b']) } }, row);
    expect(deleted.row).toEqual(key);
  });

  it('computes a value from the current ones', async () => {
    const key = await stored({ count: 1 });
    const set = {
      count: expression`count + ${4}`,
      status: expression`if_not_exists(status, ${'none'})`,
    };
    expect((await update(database, 'events', key, { set }, row)).row).toEqual({ ...key, count: 5, status: 'none' });
    expect((await update(database, 'events', key, { set }, row)).row).toEqual({ ...key, count: 9, status: 'none' });
  });

  it('checks a path inside a map', async () => {
    const key = await stored({ map: { en: { name: 'x' }, es: { name: 'y' } } });
    const rename = (language: string) =>
      update(
        database,
        'events',
        key,
        { set: { status: language }, condition: expression`${attribute(`map.${language}.name`)} = ${'y'}` },
        row,
      );
    expect((await rename('en')).written).toBe(false);
    expect((await rename('fr')).written).toBe(false);
    expect((await rename('es')).written).toBe(true);
  });

  it('returns the row that refused it', async () => {
    const key = await stored({ status: 'done', count: 7 });
    const condition = expression`status IN ${oneOf(['open', 'late'])}`;
    expect(await update(database, 'events', key, { set: { count: 8 }, condition }, row)).toEqual({
      written: false,
      row: { ...key, status: 'done', count: 7 },
    });
  });

  it('is refused without a row if there is none, and creates none', async () => {
    const key = newKey();
    const condition = expression`attribute_exists(eventId)`;
    expect(await update(database, 'events', key, { set: { count: 8 }, condition }, row)).toEqual({ written: false });
    expect(await get(database, 'events', key, row)).toBeUndefined();
  });
  it.each([
    [1, 5, true],
    [1, 6, false],
    [2, 7, false],
    [undefined, 5, true],
  ])('requires all conditions, some with alternatives: count %s, status %s', async (count, status, written) => {
    const key = await stored({ status: `${status}`, ...(count !== undefined && { count }) });
    const condition = allOf(
      expression`attribute_not_exists(count) OR count = ${1}`,
      expression`status = ${'5'} OR status = ${'7'}`,
    );
    expect((await update(database, 'events', key, { set: { map: {} }, condition }, row)).written).toBe(written);
  });

  it('throws if the row does not match its schema', async () => {
    const key = newKey();
    await insert(database, 'events', { ...key, status: 5 }, 'eventId');
    await expect(get(database, 'events', key, row)).rejects.toThrow('string');
    await expect(update(database, 'events', key, { set: { count: 1 } }, row)).rejects.toThrow('string');
  });
});

describe('a query', () => {
  const delivery = z.object({ eventId: z.string(), endpointId: z.string(), createdAt: z.string() });

  async function partition(count: number) {
    const endpointId = randomUUID();
    const rows = Array.from({ length: count }, (_, index) => ({
      eventId: `evt_${endpointId}_${index}`,
      endpointId,
      createdAt: `2026-11-20T10:00:00.${String(index).padStart(3, '0')}Z`,
    }));
    for (const one of rows) await insert(database, 'deliveries', one, 'eventId');
    return { rows, key: expression`endpointId = ${endpointId}` };
  }

  it('reads a page, and the next from where that ended', async () => {
    const { rows, key } = await partition(5);
    const query = { index: 'byEndpoint', key, limit: 3 };
    const schema = delivery.pick({ eventId: true });
    const first = await queryPage(database, 'deliveries', query, schema);
    const second = await queryPage(database, 'deliveries', { ...query, after: first.after }, schema);
    expect([first.rows.length, second.rows.length, second.after]).toEqual([3, 2, undefined]);
    expect([...first.rows, ...second.rows]).toEqual(rows.map(({ eventId }) => ({ eventId })));
    const newest = await queryPage(database, 'deliveries', { ...query, limit: 1, newestFirst: true }, schema);
    expect(newest.rows).toEqual([{ eventId: rows[4]?.eventId }]);
  });

  it('reads all pages', async () => {
    // A page ends at one megabyte.
    const eventId = randomUUID();
    const filler = 'x'.repeat(300_000);
    const createdAt = '2026-11-20T10:00:00.000Z';
    const endpointIds = Array.from({ length: 8 }, (_, index) => `whe_${index}`);
    for (const endpointId of endpointIds)
      await insert(database, 'deliveries', { eventId, endpointId, createdAt, filler }, 'endpointId');
    const key = expression`eventId = ${eventId}`;
    const page = await queryPage(database, 'deliveries', { key }, delivery);
    expect(page.rows.length).toBeLessThan(8);
    const found = await queryAll(database, 'deliveries', { key }, delivery);
    expect(found.map(({ endpointId }) => endpointId)).toEqual(endpointIds);
  });

  it('reads one attribute, if asked', async () => {
    const { key, rows } = await partition(1);
    const query = { index: 'byEndpoint', key, projection: attribute('eventId') };
    const found = await queryAll(database, 'deliveries', query, z.record(z.string(), z.unknown()));
    expect(found).toEqual(rows.map(({ eventId }) => ({ eventId })));
  });
});

describe('many rows', () => {
  it('are read by their keys in batches of a hundred, without the missing ones', async () => {
    const keys = await aFewAtOnce(130, (count) => stored({ count }));
    const found = await getAll(database, 'events', [newKey(), ...keys, newKey()], row);
    expect(found.map(({ count }) => count).sort((one, other) => (one ?? 0) - (other ?? 0))).toEqual(
      keys.map((_, index) => index),
    );
  });

  it('are all found by a scan', async () => {
    const ids = [randomUUID(), randomUUID()];
    for (const practiceId of ids) await insert(database, 'practices', { practiceId }, 'practiceId');
    const found = await scanAll(database, 'practices', z.object({ practiceId: z.string() }));
    expect(found.map(({ practiceId }) => practiceId)).toEqual(expect.arrayContaining(ids));
  });
});

describe('a read', () => {
  it('of a table is strongly consistent, of an index it cannot be, and a caller can ask for less', async () => {
    const asked: unknown[] = [];
    const watched = beforeEachCall(database, ({ input }) => {
      const [of] = 'RequestItems' in input ? Object.values(input.RequestItems ?? {}) : [input];
      asked.push(of !== undefined && 'ConsistentRead' in of && of.ConsistentRead);
    });
    const key = newKey();
    await get(watched, 'events', key, row);
    await getAll(watched, 'events', [key], row);
    await queryAll(watched, 'deliveries', { key: expression`eventId = ${key.eventId}` }, row);
    expect(asked.splice(0)).toEqual([true, true, true]);
    await get(watched, 'events', key, row, { consistent: false });
    await getAll(watched, 'events', [key], row, { consistent: false });
    await queryAll(watched, 'deliveries', { index: 'byEndpoint', key: expression`endpointId = ${'none'}` }, row);
    expect(asked).toEqual([false, false, false]);
  });
});

it('a write that fails for another reason than its condition throws', async () => {
  const broken = beforeEachCall(database, () => {
    throw new Error('no answer');
  });
  const key = newKey();
  await expect(insert(broken, 'events', key, 'eventId')).rejects.toThrow('no answer');
  await expect(update(broken, 'events', key, { set: { count: 1 } }, row)).rejects.toThrow('no answer');
  await expect(removeIf(broken, 'events', key, expression`count = ${1}`, row)).rejects.toThrow('no answer');
});

describe('removing a row', () => {
  it('returns the row that its condition allowed to delete, once', async () => {
    const key = await stored({ count: 1 });
    const removeCounted = (count: number) => removeIf(database, 'events', key, expression`count = ${count}`, row);
    expect(await removeCounted(2)).toBeUndefined();
    expect(await removeCounted(1)).toEqual({ ...key, count: 1 });
    expect(await removeCounted(1)).toBeUndefined();
  });

  it('deletes it, and does nothing if it is gone', async () => {
    const key = await stored({});
    await remove(database, 'events', key);
    await remove(database, 'events', key);
    expect(await get(database, 'events', key, row)).toBeUndefined();
  });
});

describe('a transaction', () => {
  const isOpen = expression`status = ${'open'}`;

  it('writes all its parts and skips undefined ones', async () => {
    const [updated, replaced, deleted] = [
      await stored({ status: 'open' }),
      await stored({}),
      await stored({ status: 'open' }),
    ];
    const added = newKey();
    const refused = await transact(database, {
      updated: change(database, 'events', updated, { set: { status: 'done' }, condition: isOpen }),
      none: undefined,
      replaced: put(database, 'events', { ...replaced, count: 1 }),
      deleted: deleteRow(database, 'events', deleted, isOpen),
      added: putNew(database, 'events', added, 'eventId'),
    });
    expect(refused).toBeUndefined();
    const rows = [updated, replaced, deleted, added].map((key) => get(database, 'events', key, row));
    expect(await Promise.all(rows)).toEqual([
      { ...updated, status: 'done' },
      { ...replaced, count: 1 },
      undefined,
      added,
    ]);
  });

  it('names the parts that refused, with the rows that were asked for, and writes none', async () => {
    const [closed, existing, open] = [
      await stored({ status: 'closed' }),
      await stored({}),
      await stored({ status: 'open' }),
    ];
    const gone = newKey();
    const refused = await transact(database, {
      open: change(database, 'events', open, { set: { status: 'done' }, condition: isOpen }),
      closed: change(database, 'events', closed, { set: { status: 'done' }, condition: isOpen }),
      gone: change(database, 'events', gone, { set: { status: 'done' }, condition: isOpen }),
      existing: putNew(database, 'events', existing, 'eventId'),
    });
    expect(Object.fromEntries(refused ?? [])).toEqual({
      closed: { ...closed, status: 'closed' },
      gone: undefined,
      existing: undefined,
    });
    expect(refused?.has('gone')).toBe(true);
    expect(refused?.has('open')).toBe(false);
    expect(await get(database, 'events', open, row)).toEqual({ ...open, status: 'open' });
  });

  it('returns the row that refuses a put, if asked', async () => {
    const key = await stored({ count: 3 });
    const condition = expression`attribute_not_exists(eventId) OR count < ${3}`;
    const refused = await transact(database, {
      row: put(database, 'events', { ...key, count: 4 }, { condition, returnRow: true }),
    });
    expect(refused?.get('row')).toEqual({ ...key, count: 3 });
  });

  it('loses no update, however many run at once', async () => {
    const key = await stored({ count: 0 });
    const results = await Promise.all(
      Array.from({ length: 12 }, () =>
        transact(database, {
          counter: change(database, 'events', key, { set: { count: expression`count + ${1}` } }),
          other: put(database, 'events', newKey()),
        }),
      ),
    );
    expect(results.filter(Boolean)).toEqual([]);
    expect((await get(database, 'events', key, row))?.count).toBe(12);
  });
});
