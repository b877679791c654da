import { expect, it } from 'vitest';
import { requestCancellation } from '../../../functions/store/sessions/cancellations.ts';
import { putIdempotencyKey } from '../../../functions/store/idempotency-keys.ts';
import { getSession } from '../../../functions/store/sessions/sessions.ts';
import { storeSession } from '../../support/create-practice.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

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
