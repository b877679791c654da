import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { day, hour, second, toIso } from '../../functions/domain/time.ts';
import { author, createPractice } from '../support/create-practice.ts';
import type { Database } from '../../functions/store/database.ts';
import { insertSession } from '../../functions/store/sessions/sessions.ts';
import type { PageRequest, SessionFilters } from '../../web/client/index.ts';
import { aSession } from '../support/examples.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf } from '../support/tables.ts';

let service: TestPractice;
let database: Database;
onStack.beforeAll(({ own }) => {
  service = own;
  database = databaseOf(service.stack);
});

/** Creates the sessions one second apart, oldest first. */
async function practiceWith(differences: Partial<Session>[]) {
  const { practiceId, apiKey } = await createPractice(
    service.operated,
    { author, name: 'Listing Practice' },
    Date.now(),
  );
  const start = Date.now() - differences.length * second;
  const sessions = differences.map((difference, index) =>
    aSession({
      practiceId,
      sessionId: `ses_${ulid(start + index * second, randomBytes)}`,
      createdAt: toIso(start + index * second),
      expiresAt: toIso(Date.now() + day),
      ...difference,
    }),
  );
  await Promise.all(sessions.map((session) => insertSession(database, session, undefined, start)));
  return { apiKey, sessions };
}

const times = <Value>(length: number, value: (index: number) => Value) => Array.from({ length }, (_, at) => value(at));
const newestFirst = (sessions: readonly Session[]) => sessions.map(({ sessionId }) => sessionId).reverse();

type Query = SessionFilters & PageRequest;
const page = (apiKey: string, query: Query) => service.clientOf(apiKey).sessions.listPage(query);

async function walk(apiKey: string, query: Query): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let next: Query = query; ;) {
    const { data, nextCursor } = await page(apiKey, next);
    ids.push(...data.map(({ sessionId }) => sessionId));
    sizes.push(data.length);
    if (nextCursor === null) return { ids, sizes };
    next = { ...query, cursor: nextCursor };
  }
}

describe('the list', () => {
  it('is newest first, in pages without gaps or repeats, and ends with a null cursor', async () => {
    const { apiKey, sessions } = await practiceWith(times(7, () => ({})));
    expect(await walk(apiKey, { limit: 3 })).toEqual({ ids: newestFirst(sessions), sizes: [3, 3, 1] });
    expect(await walk(apiKey, { limit: 7 }), 'a full last page is followed by no empty one').toEqual({
      ids: newestFirst(sessions),
      sizes: [7],
    });
    expect(await walk((await practiceWith([])).apiKey, {})).toEqual({ ids: [], sizes: [0] });
  });

  it('returns 25 sessions by default, as the same objects that the status returns', async () => {
    const { apiKey } = await practiceWith(times(26, () => ({ metadata: { location: 'north' } })));
    const { data } = await page(apiKey, {});
    expect(data).toHaveLength(25);
    expect(data[0]).toEqual(await service.clientOf(apiKey).sessions.get(data[0]?.sessionId ?? ''));
  });

  it('merges several states', async () => {
    const statuses = ['pending', 'processing', 'succeeded', 'failed', 'cancelled'] as const;
    const { apiKey, sessions } = await practiceWith(
      times(15, (index) => ({ status: statuses[index % 5] ?? 'pending' })),
    );
    const matching = sessions.filter(({ status }) => status === 'failed' || status === 'pending');
    expect(await walk(apiKey, { status: ['failed', 'pending'], limit: 2 })).toEqual({
      ids: newestFirst(matching),
      sizes: [2, 2, 2],
    });
    expect((await walk(apiKey, { status: statuses })).ids).toEqual(newestFirst(sessions));
  });

  it('finds the sessions of an invoice, alone or with a state', async () => {
    const { apiKey, sessions } = await practiceWith([
      { invoiceId: 'INV/1 ä' },
      { invoiceId: 'INV-2' },
      { invoiceId: 'INV/1 ä', status: 'failed' },
    ]);
    const [pending, , failed] = sessions.map(({ sessionId }) => sessionId);
    expect((await walk(apiKey, { invoiceId: 'INV/1 ä' })).ids).toEqual([failed, pending]);
    expect((await walk(apiKey, { invoiceId: 'INV/1 ä', status: 'failed' })).ids).toEqual([failed]);
  });

  it('finds the sessions of a period, and those that the bank returned', async () => {
    const debitReturn = { code: 'insufficient_funds', returnedAt: toIso(Date.now()) } as const;
    const returned = { status: 'succeeded', return: debitReturn } as const;
    const { apiKey, sessions } = await practiceWith([{}, returned, {}, { ...returned, invoiceId: 'INV-2' }, {}]);
    const [, early, middle, late] = sessions.map(({ sessionId }) => sessionId);
    const period = { createdSince: sessions[1]?.createdAt ?? '', createdBefore: sessions[3]?.createdAt ?? '' };
    expect((await walk(apiKey, period)).ids).toEqual([middle, early]);
    const nextSecond = `${toIso(Date.now() + second).slice(0, 19)}Z`;
    expect((await walk(apiKey, { ...period, createdBefore: nextSecond })).ids).toContain(late);
    const inIndia = (time: string) => toIso(Date.parse(time) + 5.5 * hour).replace('Z', '+05:30');
    const samePeriod = {
      createdSince: inIndia(period.createdSince),
      createdBefore: inIndia(period.createdBefore),
      limit: 1,
    };
    expect((await walk(apiKey, samePeriod)).ids).toEqual([middle, early]);
    expect((await walk(apiKey, { returned: true, limit: 1 })).ids).toEqual([late, early]);
    expect((await walk(apiKey, { returned: true, ...period })).ids).toEqual([early]);
    expect((await walk(apiKey, { returned: true, invoiceId: 'INV-2' })).ids).toEqual([late]);
  });

  it('leaves out an expired session from pending at once, and fills up the page', async () => {
    const expired = { expiresAt: toIso(Date.now() - second) };
    const { apiKey, sessions } = await practiceWith([{}, {}, expired, expired, expired]);
    expect(await walk(apiKey, { status: 'pending', limit: 2 })).toEqual({
      ids: newestFirst(sessions.slice(0, 2)),
      sizes: [2],
    });
    expect((await page(apiKey, { limit: 1 })).data[0]).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'expired' },
      cancelledAt: expired.expiresAt,
    });
  });

  it('shows a session once, even if it changes state between two pages', async () => {
    const { apiKey, sessions } = await practiceWith(times(6, () => ({})));
    const seen: string[] = [];
    const query: Query = { status: ['pending', 'cancelled'], limit: 2 };
    for (let next: Query | undefined = query; next;) {
      const { data, nextCursor } = await page(apiKey, next);
      for (const { sessionId } of sessions.slice(seen.length, seen.length + data.length))
        await service.clientOf(apiKey).sessions.cancel(sessionId);
      seen.push(...data.map(({ sessionId }) => sessionId));
      next = nextCursor === null ? undefined : { ...query, cursor: nextCursor };
    }
    expect(seen).toEqual(newestFirst(sessions));
  });

  it('refuses a query that is not valid', async () => {
    const { status, body } = await service.sessionsApi('GET', '?limit=1&limit=2&status=paid&sort=asc');
    expect(status).toBe(400);
    const errors = body['errors'] as { pointer: string; code: string }[];
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      ' unknown_field',
      'limit invalid_type',
      'status invalid_value',
    ]);
  });

  it('accepts a cursor only from the same practice with the same filters', async () => {
    const { apiKey } = await practiceWith([{}, {}]);
    const { apiKey: other } = await practiceWith([]);
    const cursor = (await page(apiKey, { limit: 1 })).nextCursor ?? '';
    expect(cursor).toMatch(/^cur_/);
    for (const [asking, query] of [
      [other, { cursor }],
      [apiKey, { cursor, status: 'pending' }],
      [apiKey, { cursor, invoiceId: 'x' }],
      [apiKey, { cursor, returned: true }],
      [apiKey, { cursor, createdSince: '2026-11-20T00:00:00.000Z' }],
      [apiKey, { cursor: 'cur_' }],
      [apiKey, { cursor: 'x' }],
      [apiKey, { cursor: `${cursor}0` }],
      [apiKey, { cursor: 'cur_01KAG3ZQ8M0000000000000001aaaaaaaaaaaaaaaa' }],
    ] as const) {
      const invalid = { status: 400, code: 'invalid_cursor' };
      await expect(page(asking, query), JSON.stringify(query)).rejects.toMatchObject(invalid);
    }
  });
});
