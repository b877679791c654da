import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { day } from '../../functions/domain/time.ts';
import {
  getIdempotencyKey,
  keepIdempotencyKey,
  putIdempotencyKey,
  releaseIdempotencyKey,
} from '../../functions/store/idempotency-keys.ts';
import { transact } from '../../functions/store/transact.ts';
import { startTestTables } from '../support/tables.ts';
import { requestCancellation } from '../../functions/store/sessions/cancellations.ts';
import { getSession } from '../../functions/store/sessions/sessions.ts';
import { storeSession } from '../support/create-practice.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

const requestOf = (key: string, requestHash = 'hash') => ({ practiceId: 'prc_1', key, requestHash });
const put = (key: string, at = now, hash = 'hash') =>
  transact(database, { key: putIdempotencyKey(database, requestOf(key, hash), at) });
const keep = (key: string, hash: string) =>
  transact(database, { key: keepIdempotencyKey(database, requestOf(key, hash), now) });

describe('an idempotency key', () => {
  it('is kept for a day and then forgotten', async () => {
    expect(await put('a')).toBeUndefined();
    expect(await put('a', now + day - 1)).toBeDefined();
    expect(await getIdempotencyKey(database, requestOf('a'), now + day - 1)).toMatchObject({ requestHash: 'hash' });
    expect(await getIdempotencyKey(database, requestOf('a'), now + day)).toBeUndefined();
    const Key = { idempotencyKeyId: 'prc_1#a' };
    const stored = await database.documents.send(new GetCommand({ TableName: database.tables.idempotencyKeys, Key }));
    expect(stored.Item?.['timeToLive']).toBe((now + day) / 1000);
    expect(await put('a', now + day)).toBeUndefined();
  });

  it('can be kept by its request, but not by another', async () => {
    await put('b');
    expect(await keep('b', 'hash')).toBeUndefined();
    expect(await keep('b', 'another hash')).toBeDefined();
  });

  it('is freed only by its request', async () => {
    await put('c');
    await releaseIdempotencyKey(database, requestOf('c', 'another hash'));
    expect(await getIdempotencyKey(database, requestOf('c'), now)).toMatchObject({ requestHash: 'hash' });
    await releaseIdempotencyKey(database, requestOf('c'));
    expect(await getIdempotencyKey(database, requestOf('c'), now)).toBeUndefined();
  });
});

const aKey = (key: string) => putIdempotencyKey(database, { practiceId: 'prc_1', key, requestHash: 'hash' }, now);

it.each([
  ['without a key', {}],
  ['with a key', { idempotencyKey: aKey('closed') }],
])('the cancellation of a session that is not processing is not requested, %s', async (_, parts) => {
  const { sessionId } = await storeSession(database, { status: 'failed' }, now);
  expect(await requestCancellation(database, sessionId, now, parts)).toMatchObject({
    result: 'closed',
    session: { status: 'failed' },
  });
  expect(await getSession(database, sessionId)).not.toHaveProperty('cancelRequestedAt');
});

it('the first request for a cancellation keeps its time', async () => {
  const { sessionId } = await storeSession(database, { status: 'processing' }, now);
  const first = { cancelRequestedAt: '2026-11-20T10:00:00.000Z' };
  expect(await requestCancellation(database, sessionId, now, { idempotencyKey: aKey('first') })).toMatchObject({
    result: 'requested',
    session: first,
  });
  expect(await requestCancellation(database, sessionId, now + 5)).toMatchObject({
    result: 'requested',
    session: first,
  });
});
