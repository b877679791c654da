import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { day, toIso } from '../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { openSession } from '../../functions/sessions/open.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { countRequests } from '../support/answered-client.ts';
import { storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';
import { storeEndpoint } from '../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const asks = { eventTypes: ['session.payment.opened'] };

interface Asking {
  readonly of: 'practice' | 'platform';
  readonly asks: Partial<WebhookEndpoint>;
}

async function openedBy(endpoints: readonly Asking[]) {
  const platformId = `plt_${randomUUID()}`;
  const practice = aPractice({ practiceId: `prc_${randomUUID()}`, platformId });
  for (const { of, asks: wanted } of endpoints)
    await storeEndpoint(database, { practiceId: of === 'platform' ? platformId : practice.practiceId, ...wanted });
  const { practiceId } = practice;
  const session = await storeSession(database, { practiceId, expiresAt: toIso(now + day) });
  const opened = await openSession({ database }, { session, practice }, now);
  return { practice, opened, event: await getEvent(database, sessionEventId(session.sessionId, 0)) };
}

it.each<[string, Asking[]]>([
  ['one endpoint of its practice', [{ of: 'practice', asks }]],
  [
    'one of several endpoints',
    [
      { of: 'practice', asks: {} },
      { of: 'practice', asks },
    ],
  ],
  ["one endpoint of its practice's platform", [{ of: 'platform', asks }]],
])('the first open is reported if %s asks for it', async (_, endpoints) => {
  const { opened, event } = await openedBy(endpoints);
  expect(opened).toMatchObject({ status: 'pending', openedAt: toIso(now) });
  expect(event).toMatchObject({ type: 'session.payment.opened', createdAt: toIso(now) });
});

it.each<[string, Asking[]]>([
  ['no endpoint', []],
  [
    'only endpoints that name no events',
    [
      { of: 'practice', asks: {} },
      { of: 'platform', asks: {} },
    ],
  ],
  ['only a platform for its other practices', [{ of: 'platform', asks: { ...asks, practiceIds: ['prc_other'] } }]],
])('the first open has no event if %s asks for it', async (_, endpoints) => {
  const { opened, event } = await openedBy(endpoints);
  expect(opened).toMatchObject({ openedAt: toIso(now) });
  expect(event).toBeUndefined();
});

it('a session that was opened is opened again without a request to the database', async () => {
  const { practice, opened } = await openedBy([]);
  const { database: counted, requests } = countRequests(database);
  expect(await openSession({ database: counted }, { session: opened, practice }, now + 1)).toBe(opened);
  expect(requests()).toEqual({});
});

it('a practice without a platform costs one read for its own endpoints', async () => {
  const practice = aPractice({ practiceId: `prc_${randomUUID()}` });
  const session = await storeSession(database, { practiceId: practice.practiceId, expiresAt: toIso(now + day) });
  const { database: counted, requests } = countRequests(database);
  await openSession({ database: counted }, { session, practice }, now);
  expect(requests()).toEqual({ webhookEndpoints: 1, sessions: 1 });
});
