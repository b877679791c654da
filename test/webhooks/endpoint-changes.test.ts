import { randomBytes } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { getWebhookEndpoint, updateWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import { disableEndpoint, enableEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { replayDeliveries } from '../../functions/webhooks/resend.ts';
import { anEntry, author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
const { database } = tables;

const movedUrl = 'https://moved.example.com/';

const remove = (practiceId: string, endpointId: string) =>
  database.documents.send(
    new DeleteCommand({ TableName: database.tables.webhookEndpoints, Key: { practiceId, endpointId } }),
  );

/** `signers` returns which of the secrets signed the next webhook. */
async function aRotatingEndpoint() {
  const { state, practiceId, endpointId, dispatchedEvent, drain, endpoint } = await anEndpoint(tables);
  const key = { practiceId, endpointId, author };
  const rotate = async (keepOldHours: number) =>
    (await rotateSecret({ database, randomBytes }, { ...key, keepOldHours }, state.now)).signingSecret;

  async function signers(secrets: string[]): Promise<boolean[]> {
    await dispatchedEvent();
    await drain();
    const { body = '', headers } = state.posts.at(-1) ?? {};
    const { 'webhook-id': id = '', 'webhook-signature': signatures = '' } = { ...headers };
    return secrets.map((secret) =>
      signatures.split(' ').includes(new Webhook(secret).sign(id, new Date(state.now), body)),
    );
  }
  return { state, rotate, signers, secret: async () => (await endpoint()).signingSecret };
}

describe('while its ticket waits in the queue, an endpoint', () => {
  // https://github.com/svix/svix-webhooks/issues/1511 and https://github.com/hookdeck/outpost/issues/59
  it('may be deleted: the ticket ends without a POST', async () => {
    const { state, practiceId, endpointId, dispatchedEvent, drain, row } = await anEndpoint(tables);
    const key = await dispatchedEvent();
    await remove(practiceId, endpointId);
    await drain();
    expect([state.posts, state.tickets]).toEqual([[], []]);
    expect(await row(key)).toMatchObject({ status: 'skipped' });
  });

  // https://github.com/frain-dev/convoy/issues/965 and /issues/1200: retries continued, or were lost.
  it('may be disabled: the retry is skipped, and a replay sends it once the endpoint is enabled', async () => {
    const { state, tools, practiceId, endpointId, dispatchedEvent, drain, sweep, row, posted } =
      await anEndpoint(tables);
    const endpointKey = { practiceId, endpointId };
    state.answer = { statusCode: 500 };
    const key = await dispatchedEvent();
    await drain();
    await disableEndpoint(tools, { ...endpointKey, author }, state.now);
    state.now += 5 * second;
    await drain();
    expect(await row(key)).toMatchObject({ status: 'skipped', attempts: 1 });

    state.answer = { statusCode: 204 };
    await enableEndpoint(tools, { ...endpointKey, author }, state.now);
    expect(await replayDeliveries(tools, { author, ...endpointKey, since: 0 }, state.now)).toMatchObject({
      replayed: 1,
    });
    await sweep();
    await drain();
    expect(posted()).toEqual([key.eventId, key.eventId]);
    expect(await row(key)).toMatchObject({ status: 'delivered' });
  });

  // https://github.com/svix/svix-webhooks/issues/2227: the old URL and secret stayed in a cache.
  it('may move: the next attempt goes to its new URL, signed with its new secret', async () => {
    const { state, practiceId, endpointId, dispatchedEvent, drain } = await anEndpoint(tables);
    state.answer = { statusCode: 500 };
    await dispatchedEvent();
    await drain();
    const key = { practiceId, endpointId };
    await updateWebhookEndpoint(database, key, { url: movedUrl }, anEntry(practiceId));
    const rotation = { ...key, author, keepOldHours: 0 };
    const { signingSecret } = await rotateSecret({ database, randomBytes }, rotation, state.now);
    state.now += 5 * second;
    await drain();
    const [, moved] = state.posts;
    expect(moved?.url).toBe(movedUrl);
    expect(moved?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(() => new Webhook(signingSecret).verify(moved?.body ?? '', { ...moved?.headers })).not.toThrow();
  });

  // https://github.com/hookdeck/outpost/issues/951 and Svix's change log for 1.91
  it('may rotate its secret twice: each replaced secret signs until its own time ends', async () => {
    const { state, rotate, signers, secret } = await aRotatingEndpoint();
    const first = await secret();
    const second = await rotate(2);
    const third = await rotate(1);
    expect(await signers([first, second, third])).toEqual([true, true, true]);
    state.now += 90 * minute;
    expect(await signers([first, second, third])).toEqual([true, false, true]);
    state.now += hour;
    expect(await signers([first, second, third])).toEqual([false, false, true]);
  });

  it('may rotate away a leaked secret: no other secret signs, even one that had not expired', async () => {
    const { rotate, signers, secret } = await aRotatingEndpoint();
    const first = await secret();
    const leaked = await rotate(24);
    const safe = await rotate(0);
    expect(await signers([first, leaked, safe])).toEqual([false, false, true]);
  });

  it('may rotate its secret often: the last five sign', async () => {
    const { rotate, signers, secret } = await aRotatingEndpoint();
    const secrets = [await secret()];
    for (let number = 0; number < 5; number += 1) secrets.push(await rotate(24));
    expect(await signers(secrets)).toEqual([false, true, true, true, true, true]);
  });
});

describe('during an attempt, an endpoint', () => {
  // https://github.com/svix/svix-webhooks/issues/1511 and https://github.com/hookdeck/outpost/issues/59
  it.each<[string, Partial<PostResult>, object]>([
    ['a success', { statusCode: 204 }, { status: 'delivered' }],
    ['an error', { statusCode: 500 }, { status: 'pending', attempts: 1 }],
    ['410', { statusCode: 410 }, { status: 'failed' }],
    ['a timeout', { error: 'timeout' }, { status: 'pending', attempts: 1 }],
  ])('may be deleted: %s is recorded, the endpoint stays deleted, and a retry is skipped', async (_, answer, ended) => {
    const { state, practiceId, endpointId, event, attempt, drain, row } = await anEndpoint(tables);
    const key = await event();
    state.answer = async () => {
      await remove(practiceId, endpointId);
      return answer;
    };
    await attempt(key, 1);
    expect(await getWebhookEndpoint(database, practiceId, endpointId)).toBeUndefined();
    expect(await row(key)).toMatchObject(ended);
    expect(await listAttempts(database, await row(key))).toMatchObject([{ attemptNumber: 1, ...answer }]);

    if (state.tickets.length === 0) return;
    state.now += 5 * second;
    await drain();
    expect(state.posts).toHaveLength(1);
    expect(await row(key)).toMatchObject({ status: 'skipped', attempts: 1 });
    expect(await row(key)).not.toHaveProperty('dueAt');
  });

  it('may move: 410 from the old server does not disable the new one', async () => {
    const { state, practiceId, endpointId, event, attempt, endpoint } = await anEndpoint(tables);
    state.answer = async () => {
      await updateWebhookEndpoint(database, { practiceId, endpointId }, { url: movedUrl }, anEntry(practiceId));
      return { statusCode: 410 };
    };
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'enabled', url: movedUrl });
  });

  it('may move: a success of the old server says nothing about the new one', async () => {
    const { state, practiceId, endpointId, event, attempt, endpoint, row } = await anEndpoint(tables);
    const key = await event();
    state.answer = async () => {
      await updateWebhookEndpoint(database, { practiceId, endpointId }, { url: movedUrl }, anEntry(practiceId));
      return { statusCode: 204 };
    };
    await attempt(key, 1);
    expect(await row(key)).toMatchObject({ status: 'delivered' });
    const { url, inFlight, firstDeliveredAt } = await endpoint();
    expect([url, inFlight, firstDeliveredAt]).toEqual([movedUrl, undefined, undefined]);
  });

  it('may be disabled: a success does not hide what it missed before', async () => {
    const { state, tools, practiceId, endpointId, event, attempt, endpoint } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (let failures = 0; failures < 4; failures += 1) await attempt(await event(), 1);
    const { missedSince } = await endpoint();
    expect(missedSince).toEqual(expect.any(String));
    state.answer = async () => {
      await disableEndpoint(tools, { practiceId, endpointId, author }, state.now);
      return { statusCode: 204 };
    };
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'disabled', missedSince });
    expect(state.notified).toEqual(['webhook.endpoint.failing']);
  });
});
