import { describe, expect, it, vi } from 'vitest';
import { commands } from '../../bin/practice/program.ts';
import { Unavailable } from '../../functions/domain/fault.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { createTestDelivery } from '../../functions/store/webhooks/delivery-log.ts';
import { createWebhookEndpoint, getWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import type { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { createPlatform } from '../../functions/practices/platforms.ts';
import { deleteEndpoint, showEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { storeEndpoint } from '../support/webhook-endpoint.ts';
import { anEntry, author } from '../support/create-practice.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { startReceiver } from '../support/receiver.ts';
import { captured, runCommand } from '../support/run-command.ts';
import { patience } from '../support/until.ts';

let service: TestPractice;
let endpoint: { practice: string; endpoint: string };
onStack.beforeAll(({ own }) => {
  service = own;
  endpoint = { practice: service.practice.practiceId, endpoint: service.practice.endpointId };
});

const run = <Answer = Record<string, unknown>>(name: string, typed: Record<string, string>) =>
  runCommand<Answer>(service.operated, name, typed);
/** A sweep would do the same after a minute. */
type DeliveryLog = Awaited<ReturnType<typeof getDeliveryLog>>;

function delivered(eventId: string, attempts: number) {
  return vi.waitFor(async () => {
    const { deliveries } = await run<DeliveryLog>('deliveries', endpoint);
    const found = deliveries.find((delivery) => delivery.eventId === eventId);
    expect(found?.attempts).toHaveLength(attempts);
    expect(found?.status).not.toBe('pending');
    return found;
  }, patience);
}

async function cancelledSession(): Promise<string> {
  const { sessionId } = await service.createSession();
  await service.client.sessions.cancel(sessionId);
  return sessionId;
}

it('test-webhook sends a webhook at once', async () => {
  const { eventId } = await run('test-webhook', endpoint);
  // The receiver refuses anything but session webhooks.
  expect(await delivered(String(eventId), 1)).toMatchObject({
    eventType: 'webhook.test',
    status: 'failed',
    attempts: [{ attemptNumber: 1, statusCode: 400 }],
  });
});

it('resend sends an event again at once, under the same id', async () => {
  const sessionId = await cancelledSession();
  const first = await service.receiver.waitFor('session.payment.cancelled', sessionId);
  const { id } = first.event;
  await delivered(id, 1);
  await run('resend', { ...endpoint, event: id });
  expect(await delivered(id, 2)).toMatchObject({ status: 'delivered' });
  const again = service.receiver.received.findLast(({ event }) => event.id === id);
  expect(again).not.toBe(first);
  expect(again?.headers['webhook-id']).toBe(id);
  expect(again?.body).toBe(first.body);
});

const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

const dead = (now: number) => ({
  failingSince: iso(now - 121 * hour),
  missedSince: iso(now - 122 * hour),
  failedAttempts: 40,
  ownerNotifiedAt: iso(now - 120 * hour),
  consecutiveNoResponses: 30,
  circuitOpenUntil: iso(now + hour),
});

async function anotherEndpoint(differences: Partial<WebhookEndpoint>) {
  const { database } = service.operated;
  const row: WebhookEndpoint = {
    practiceId: service.practice.practiceId,
    endpointId: `whe_${Math.random().toString(36).slice(2)}`,
    url: 'https://old.example.com/',
    status: 'enabled',
    signingSecret: service.receiver.secret,
    eventTypes: ['session.payment.cancelled'],
    createdAt: iso(Date.now()),
    ...differences,
  };
  await createWebhookEndpoint(database, row, anEntry(row.practiceId));
  return {
    named: { practice: row.practiceId, endpoint: row.endpointId },
    read: () => getWebhookEndpoint(database, row.practiceId, row.endpointId),
  };
}

describe('update-webhook with a new URL', () => {
  it('sends there at once, though the circuit of the old server is open, and one error does not disable it', async () => {
    const { named, read } = await anotherEndpoint(dead(Date.now()));
    const moved = await startReceiver();
    moved.secret = service.receiver.secret;
    moved.failOnce();
    await run('update-webhook', { ...named, url: moved.url });
    const sessionId = await cancelledSession();
    await moved.waitFor('session.payment.cancelled', sessionId, patience);
    await vi.waitFor(async () => expect(await read()).toMatchObject({ failedAttempts: 1 }), patience);
    await moved.stop();
    expect(await read()).toMatchObject({ status: 'enabled', url: moved.url, failedAttempts: 1 });
    await run('delete-webhook', named);
  });

  it('prints the command that replays what the old server missed', async () => {
    const trouble = dead(Date.now());
    const { named } = await anotherEndpoint(trouble);
    const replay = `npm run -s practice -- replay --practice ${named.practice} --endpoint ${named.endpoint} --since ${trouble.missedSince}`;
    const url = 'https://new.example.com/';
    expect(await run('update-webhook', { ...named, url })).toMatchObject({ missedSince: trouble.missedSince, replay });
    expect(await run('update-webhook', { ...named, url })).not.toHaveProperty('replay');
    await run('delete-webhook', named);
  });
});

it('enable-webhook prints the command that replays what was missed', async () => {
  const { named } = await anotherEndpoint({});
  const { disabledAt } = await run('disable-webhook', named);
  const replay = `npm run -s practice -- replay --practice ${named.practice} --endpoint ${named.endpoint} --since ${String(disabledAt)}`;
  expect(await run('enable-webhook', named)).toMatchObject({
    endpointId: named.endpoint,
    status: 'enabled',
    missedSince: disabledAt,
    replay,
  });
  expect(await run('replay', { ...named, since: String(disabledAt) })).toEqual({
    since: disabledAt,
    replayed: 0,
    more: false,
  });
  await run('delete-webhook', named);
});

it('enable-webhooks turns on what was disabled for failing since then, with an audit entry, and nothing else', async () => {
  const now = Date.now();
  const disabled = (age: number, disabledReason?: 'gone' | 'failing') =>
    anotherEndpoint({
      status: 'disabled',
      disabledAt: iso(now - age),
      missedSince: iso(now - 121 * hour),
      ...(disabledReason && { disabledReason }),
    });
  const broken = await disabled(hour, 'failing');
  const others = [await disabled(3 * hour, 'failing'), await disabled(hour, 'gone'), await disabled(hour)];
  const { practice, endpoint: endpointId } = broken.named;
  const enable = async () => {
    const since = { disabledSince: iso(now - 2 * hour) };
    const { endpoints } = await run<{ endpoints: { practiceId: string }[] }>('enable-webhooks', since);
    return endpoints.filter(({ practiceId }) => practiceId === practice);
  };
  const missedSince = iso(now - 121 * hour);
  const replay = `npm run -s practice -- replay --practice ${practice} --endpoint ${endpointId} --since ${missedSince}`;
  expect(await enable()).toEqual([{ practiceId: practice, endpointId, missedSince, replay }]);
  expect(await broken.read()).toMatchObject({ status: 'enabled' });
  for (const other of others) expect(await other.read()).toMatchObject({ status: 'disabled' });
  const { entries } = await listAuditLog(service.operated.database, practice, { limit: 5 });
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'webhook_endpoint.enabled', target: endpointId, author: { kind: 'operator' } }),
  );
  expect(await enable()).toEqual([]);
  for (const { named } of [broken, ...others]) await run('delete-webhook', named);
});

it("enable-webhooks turns on a platform's endpoints, too", async () => {
  const now = Date.now();
  const { platformId: practiceId } = await createPlatform(service.operated, { name: 'Harbor', author }, now);
  const disabled = {
    status: 'disabled',
    disabledReason: 'failing',
    disabledAt: iso(now),
    missedSince: iso(now),
  } as const;
  const { endpointId } = await storeEndpoint(service.operated.database, { practiceId, ...disabled });
  const since = { disabledSince: iso(now - hour) };
  const { endpoints } = await run<{ endpoints: { practiceId: string }[] }>('enable-webhooks', since);
  const replay = `npm run -s practice -- replay --practice ${practiceId} --endpoint ${endpointId} --since ${iso(now)}`;
  expect(endpoints).toContainEqual({ practiceId, endpointId, missedSince: iso(now), replay });
  const key = { practiceId, endpointId, author };
  expect(await showEndpoint(service.operated, key)).toMatchObject({ status: 'enabled' });
  await deleteEndpoint(service.operated, key, now);
});

it('enable-webhooks that fails half-way prints what it enabled, with the commands that replay', async () => {
  const now = Date.now();
  const row = { status: 'disabled', disabledReason: 'failing', disabledAt: iso(now), missedSince: iso(now) } as const;
  const broken = [await anotherEndpoint(row), await anotherEndpoint(row)];
  let writes = 0;
  const database = beforeEachCall(service.operated.database, ({ operation }) => {
    if (operation === 'TransactWriteItems' && ++writes > 1) throw new Unavailable('no answer');
  });
  const { terminal, printed } = captured();
  const openStack = async () => ({ ...service.operated, database });
  const context = { place: { data: '.local', stack: undefined }, terminal, json: true, now, openStack };
  const ended = commands.get('enable-webhooks')?.run(context, { disabledSince: iso(now - hour) });
  await expect(ended).rejects.toThrow('no answer');
  const text = printed.stderr.join('');
  expect(text).toMatch(/^Enabled before the failure, the last one perhaps not:\n/);
  const statuses: unknown[] = [];
  for (const { named, read } of broken) {
    const replay = `replay --practice ${named.practice} --endpoint ${named.endpoint} --since ${iso(now)}`;
    // The second endpoint may be enabled: perhaps only the response was lost.
    expect(text).toContain(replay);
    statuses.push((await read())?.status);
    await run('delete-webhook', named);
  }
  expect(statuses.toSorted()).toEqual(['disabled', 'enabled']);
});

it('delete-webhook ends pending deliveries as skipped, and other endpoints still receive', async () => {
  const { named } = await anotherEndpoint({ url: 'https://never.example.com/' });
  const eventId = `evt_${Math.random()}`;
  await createTestDelivery(
    service.operated.database,
    { eventId, practiceId: named.practice, endpointId: named.endpoint, livemode: false },
    Date.now(),
    anEntry(named.practice),
  );
  expect(await run('delete-webhook', named)).toEqual({ endpointId: named.endpoint, status: 'deleted' });
  const { endpoints } = await run<{ endpoints: WebhookEndpoint[] }>('list-webhooks', { practice: named.practice });
  expect(endpoints.map(({ endpointId }) => endpointId)).toEqual([endpoint.endpoint]);
  await service.stack.fireSchedules();
  await vi.waitFor(
    async () =>
      expect(await getDelivery(service.operated.database, { eventId, endpointId: named.endpoint })).toMatchObject({
        status: 'skipped',
        attempts: 0,
      }),
    patience,
  );
  await service.receiver.waitFor('session.payment.cancelled', await cancelledSession(), patience);
});
