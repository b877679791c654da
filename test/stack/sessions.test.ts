import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPractice } from '../../functions/practices/settings.ts';
import { sessionList, sessionStatusBody } from '../../functions/contract/practice-api.ts';
import type { Table } from '../../functions/contract/environment.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/session.ts';
import type { Database } from '../../functions/store/database.ts';
import { insertSession } from '../../functions/store/sessions.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { aSession } from '../support/examples.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { databaseOf } from '../support/tables.ts';

let service: TestStack;
let database: Database<Table>;
beforeAll(async () => {
  service = await startTestStack();
  database = databaseOf(service.stack);
});
afterAll(() => service.stop());

interface Practice {
  practiceId: string;
  apiKey: string;
}

async function aNewPractice(): Promise<Practice> {
  const { practiceId, apiKey } = await createPractice(service.operated, { name: 'Listing Practice' }, Date.now());
  return { practiceId, apiKey };
}

async function call(practice: Practice, method: string, path: string, body?: string) {
  const response = await checkedFetch(`${service.apiUrl}/api/practice/sessions${path}`, {
    method,
    headers: { authorization: `Bearer ${practice.apiKey}` },
    ...(body !== undefined && { body }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

async function page(practice: Practice, query: string) {
  const { status, body } = await call(practice, 'GET', `?${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return sessionList.parse(body);
}

/** Follows the cursors to the end; gives the ids in order and the size of each page. */
async function walk(practice: Practice, query: string): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor = ''; ;) {
    const { data, nextCursor } = await page(practice, query + cursor);
    ids.push(...data.map(({ sessionId }) => sessionId));
    sizes.push(data.length);
    if (nextCursor === null) return { ids, sizes };
    cursor = `&cursor=${nextCursor}`;
  }
}

/** Puts sessions of a practice into the table, one a second, oldest first. */
async function stored({ practiceId }: Practice, differences: Partial<Session>[]): Promise<Session[]> {
  const start = Date.now() - differences.length * 1000;
  const sessions = differences.map((difference, index) =>
    aSession({
      practiceId,
      sessionId: `ses_${ulid(start + index * 1000, randomBytes)}`,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...difference,
    }),
  );
  await Promise.all(sessions.map((session) => insertSession(database, session, undefined, start)));
  return sessions;
}

const newestFirst = (sessions: readonly Session[]) => sessions.map(({ sessionId }) => sessionId).reverse();

describe('the list', () => {
  it('is newest first, in pages without a gap or a repeat, the last with no cursor', async () => {
    const practice = await aNewPractice();
    const sessions = await stored(
      practice,
      Array.from({ length: 7 }, () => ({})),
    );
    expect(await walk(practice, 'limit=3')).toEqual({ ids: newestFirst(sessions), sizes: [3, 3, 1] });
    expect(await walk(practice, 'limit=7'), 'a full last page leads to no empty one').toEqual({
      ids: newestFirst(sessions),
      sizes: [7],
    });
    expect(await walk(await aNewPractice(), '')).toEqual({ ids: [], sizes: [0] });
  });

  it('holds 25 sessions where nothing else is said, and the same objects as the status', async () => {
    const practice = await aNewPractice();
    await stored(
      practice,
      Array.from({ length: 26 }, () => ({ metadata: { location: 'north' } })),
    );
    const { data } = await page(practice, '');
    expect(data).toHaveLength(25);
    const status = await call(practice, 'GET', `/${data[0]?.sessionId}/status`);
    expect(data[0]).toEqual(sessionStatusBody.parse(status.body));
  });

  it('merges several states', async () => {
    const practice = await aNewPractice();
    const statuses = ['pending', 'processing', 'succeeded', 'failed', 'cancelled'] as const;
    const sessions = await stored(
      practice,
      Array.from({ length: 15 }, (_, index) => ({ status: statuses[index % 5] ?? 'pending' })),
    );
    const matching = sessions.filter(({ status }) => status === 'failed' || status === 'pending');
    expect(await walk(practice, 'status=failed&status=pending&limit=2')).toEqual({
      ids: newestFirst(matching),
      sizes: [2, 2, 2],
    });
    expect((await walk(practice, statuses.map((status) => `status=${status}`).join('&'))).ids).toEqual(
      newestFirst(sessions),
    );
  });

  it('finds the sessions of an invoice, also by state', async () => {
    const practice = await aNewPractice();
    const sessions = await stored(practice, [
      { invoiceId: 'INV/1 ä' },
      { invoiceId: 'INV-2' },
      { invoiceId: 'INV/1 ä', status: 'failed' },
    ]);
    expect((await walk(practice, `invoiceId=${encodeURIComponent('INV/1 ä')}`)).ids).toEqual([
      sessions[2]?.sessionId,
      sessions[0]?.sessionId,
    ]);
    expect((await walk(practice, `invoiceId=${encodeURIComponent('INV/1 ä')}&status=failed`)).ids).toEqual([
      sessions[2]?.sessionId,
    ]);
  });

  it('drops an expired session from pending at once, and fills the page up', async () => {
    const practice = await aNewPractice();
    const expired = { expiresAt: new Date(Date.now() - 1000).toISOString() };
    const sessions = await stored(practice, [{}, {}, expired, expired, expired]);
    expect(await walk(practice, 'status=pending&limit=2')).toEqual({
      ids: newestFirst(sessions.slice(0, 2)),
      sizes: [2],
    });
    expect((await page(practice, 'limit=1')).data[0]).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'expired' },
      cancelledAt: expired.expiresAt,
    });
  });

  it('shows a session that moves on between two pages once', async () => {
    const practice = await aNewPractice();
    const sessions = await stored(
      practice,
      Array.from({ length: 6 }, () => ({})),
    );
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, nextCursor } = await page(
        practice,
        `status=pending&status=cancelled&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...data.map(({ sessionId }) => sessionId));
      for (const { sessionId } of sessions.slice(0, seen.length)) await call(practice, 'POST', `/${sessionId}/cancel`);
      cursor = nextCursor;
    }
    expect(seen).toEqual(newestFirst(sessions));
  });

  it.each([
    ['limit=0', 'limit out_of_range'],
    ['limit=101', 'limit out_of_range'],
    ['limit=ten', 'limit invalid_value'],
    ['limit=1&limit=2', 'limit invalid_type'],
    ['status=paid', 'status invalid_value'],
    ['invoiceId=', 'invoiceId required'],
    ['sort=asc', ' unknown_field'],
  ])('refuses %s', async (query, fault) => {
    const { status, body } = await call(service.practice, 'GET', `?${query}`);
    expect(status).toBe(400);
    expect(
      (body['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`),
    ).toEqual([fault]);
  });

  it('takes a cursor only of the same practice and the same filters', async () => {
    const practice = await aNewPractice();
    await stored(practice, [{}, {}]);
    const { nextCursor } = await page(practice, 'limit=1');
    expect(nextCursor).toMatch(/^cur_/);
    for (const [asking, query] of [
      [await aNewPractice(), ''],
      [practice, 'status=pending&'],
      [practice, 'invoiceId=x&'],
    ] as const) {
      expect(await call(asking, 'GET', `?${query}cursor=${nextCursor}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      });
    }
    for (const cursor of ['cur_', 'x', `${nextCursor}0`, 'cur_01KAG3ZQ8M0000000000000001aaaaaaaaaaaaaaaa']) {
      expect(await call(practice, 'GET', `?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      });
    }
  });
});

describe('cancelling', () => {
  async function paying(username: string) {
    const { sessionId, hostedUrl } = await service.createSession();
    const patient = service.patient(hostedUrl);
    const { body } = await patient('POST', '/bank-connection', { username, password: service.practice.password });
    await patient('POST', '/payment', {
      authorizationAccepted: true,
      authorizationId: (body['authorization'] as { id: string }).id,
    });
    await service.receiver.waitFor('session.payment.processing', sessionId);
    return { sessionId, patient };
  }

  it('ends a pending session, tells the page and the practice, and cannot be repeated', async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    const answer = await call(service.practice, 'POST', `/${sessionId}/cancel`);
    expect(answer).toMatchObject({ status: 200, body: { sessionId, status: 'cancelled' } });
    expect(Object.keys(answer.body).sort()).toEqual(['cancelledAt', 'sessionId', 'status']);
    const { event } = await service.receiver.waitFor('session.payment.cancelled', sessionId);
    expect(event).toMatchObject({
      created_at: answer.body['cancelledAt'],
      data: { previousStatus: 'pending', cancellation: { reason: 'requested_by_practice' } },
    });
    expect((await service.patient(hostedUrl)('GET', '')).body).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'requested_by_practice' },
    });
    expect(await call(service.practice, 'POST', `/${sessionId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'session_not_cancellable', sessionStatus: 'cancelled' },
    });
  });

  it.each([
    ['', undefined],
    ['{}', '{}'],
    ['text', 'whatever'],
  ])('takes %s as its body', async (_, body) => {
    const { sessionId } = await service.createSession();
    expect((await call(service.practice, 'POST', `/${sessionId}/cancel`, body)).status).toBe(200);
  });

  it('ends a processing session whose debit the bank gives back, and frees its invoice', async () => {
    const { sessionId } = await paying('user_stuck');
    expect(await call(service.practice, 'POST', `/${sessionId}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    expect((await service.receiver.waitFor('session.payment.cancelled', sessionId)).event.data).toMatchObject({
      previousStatus: 'processing',
      sequence: 2,
    });
  });

  it('is refused where the bank has sent the debit, and leaves the session as it was', async () => {
    const { sessionId } = await paying('user_sent');
    expect(await call(service.practice, 'POST', `/${sessionId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'payment_not_voidable' },
    });
    expect((await call(service.practice, 'GET', `/${sessionId}/status`)).body).toMatchObject({ status: 'processing' });
  });

  it('is refused for a session that is paid, and for one that expired', async () => {
    const { sessionId } = await paying('user_good');
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    expect(await call(service.practice, 'POST', `/${sessionId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'session_not_cancellable', sessionStatus: 'succeeded' },
    });
    const [expired] = await stored(service.practice, [{ expiresAt: new Date(Date.now() - 1000).toISOString() }]);
    expect(await call(service.practice, 'POST', `/${expired?.sessionId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'session_not_cancellable', sessionStatus: 'cancelled' },
    });
  });

  it('gives one of two that come at once the success', async () => {
    const { sessionId } = await service.createSession();
    const answers = await Promise.all([1, 2].map(() => call(service.practice, 'POST', `/${sessionId}/cancel`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('does not reach another practice', async () => {
    const { sessionId } = await service.createSession();
    expect(await call(await aNewPractice(), 'POST', `/${sessionId}/cancel`)).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    });
  });
});
