import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  rotatedSecrets,
  signingSecrets,
  type WebhookEndpoint,
} from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { getSigningSecret, rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  placeEndpoint,
  updateEndpoint,
  type EndpointTools,
} from '../../functions/webhooks/webhook-endpoints.ts';
import { endpointSummary } from '../../functions/contract/webhooks/dashboard-endpoints.ts';
import { webhookEndpointBody } from '../../functions/contract/webhooks/webhook-endpoints.ts';
import type { EndpointOfAuthor } from '../../functions/webhooks/requirements.ts';
import { update } from '../../functions/store/rows.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { recordMissed } from '../../functions/store/webhooks/endpoint-health.ts';
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  rotateSigningSecret,
} from '../../functions/store/webhooks/webhook-endpoints.ts';
import { anEntry, author } from '../support/create-practice.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();

const hour = 3_600_000;
const now = Date.parse('2026-11-20T15:00:00.000Z');
const iso = (time: number) => new Date(time).toISOString();
const newUrl = 'https://new.example.com/';

const trouble = {
  failingSince: iso(now - 121 * hour),
  missedSince: iso(now - 122 * hour),
  failedAttempts: 40,
  lastFailure: { statusCode: 301, redirectsTo: 'https://www.example.com/' },
  ownerNotifiedAt: iso(now - 120 * hour),
  consecutiveNoResponses: 30,
  circuitOpenUntil: iso(now + hour),
};

async function anOwnedEndpoint(differences: Partial<WebhookEndpoint> = {}) {
  const { tools, practiceId } = await aPractice(tables);
  const row: WebhookEndpoint = {
    practiceId,
    endpointId: `whe_${Math.random().toString(36).slice(2)}`,
    url: 'https://old.example.com/',
    status: 'enabled',
    signingSecret: `whsec_${'A'.repeat(43)}=`,
    eventTypes: ['session.payment.cancelled'],
    createdAt: iso(now),
    ...differences,
  };
  await createWebhookEndpoint(tables.database, row, anEntry(row.practiceId));
  const key = { practiceId, endpointId: row.endpointId };
  return { tools, row, key, read: () => getWebhookEndpoint(tables.database, practiceId, row.endpointId) };
}

it('the last failure is in the API and in the dashboard, where it leaves out where a redirect leads', async () => {
  const { tools, key } = await anOwnedEndpoint(trouble);
  const [listed] = (await listEndpoints(tools, key)).endpoints;
  expect(webhookEndpointBody.parse(listed).lastFailure).toEqual(trouble.lastFailure);
  expect(endpointSummary.parse(listed).lastFailure).toEqual({ statusCode: 301 });
});

describe('a new endpoint', () => {
  it('is enabled, and wants every event and the standard retries unless told otherwise', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { endpointId, url, signingSecret } = await addEndpoint(tools, { author, practiceId, url: newUrl }, now);
    expect(await getWebhookEndpoint(tables.database, practiceId, endpointId)).toEqual({
      practiceId,
      endpointId,
      url,
      signingSecret,
      status: 'enabled',
      createdAt: iso(now),
    });
    expect(await getSigningSecret(tools, { practiceId, endpointId })).toBe(signingSecret);
    const choice = { eventTypes: ['session.payment.failed' as const], retryPolicy: 'all' as const };
    const other = await addEndpoint(tools, { author, practiceId, url: newUrl, ...choice }, now);
    expect(await getWebhookEndpoint(tables.database, practiceId, other.endpointId)).toMatchObject({
      eventTypes: ['session.payment.failed'],
      retryPolicy: 'all',
    });
  });

  it('needs a practice that exists and a public URL, or loopback where that is allowed', async () => {
    const { tools, practiceId } = await aPractice(tables);
    expect(await problemOf(addEndpoint(tools, { author, practiceId: 'prc_none', url: newUrl }, now))).toMatchObject({
      code: 'practice_not_found',
    });
    expect(await problemOf(listEndpoints(tools, { practiceId: 'prc_none' }))).toMatchObject({
      code: 'practice_not_found',
    });
    const url = 'http://127.0.0.1:4002/';
    expect(await problemOf(addEndpoint(tools, { author, practiceId, url }, now))).toMatchObject({
      code: 'webhook_url_not_allowed',
    });
    expect(await listEndpoints(tools, { practiceId })).toEqual({ endpoints: [] });
    expect(
      await addEndpoint({ ...tools, allowLoopbackWebhooks: true }, { author, practiceId, url }, now),
    ).toMatchObject({
      url,
    });
  });
});

it('a new endpoint with a value that is not allowed is refused', async () => {
  const { tools, practiceId } = await aPractice(tables);
  const input = { practiceId, url: newUrl, eventTypes: ['session.paid'], retryPolicy: 'never' };
  expect((await problemOf(addEndpoint(tools, { ...input, author }, now))).extra).toMatchObject({
    errors: [{ pointer: '/eventTypes/0' }, { pointer: '/retryPolicy', detail: 'Use one of: standard, all.' }],
  });
  expect(await listEndpoints(tools, { practiceId })).toEqual({ endpoints: [] });
});

it("a practice's endpoint cannot name the events that only a platform's endpoints get", async () => {
  const { tools, practiceId } = await aPractice(tables);
  const eventTypes = ['session.payment.failed', 'practice.left'];
  const detail = "Only a platform's endpoint gets practice.left.";
  const refused = { errors: [{ pointer: '/eventTypes/1', code: 'invalid_value', detail }] };
  const adding = addEndpoint(tools, { author, practiceId, url: newUrl, eventTypes }, now);
  expect((await problemOf(adding)).extra).toMatchObject(refused);
  const { endpointId } = await addEndpoint(tools, { author, practiceId, url: newUrl }, now);
  const changing = updateEndpoint(tools, { author, practiceId, endpointId, eventTypes }, now);
  expect((await problemOf(changing)).extra).toMatchObject(refused);
});

it("a platform's endpoint can name its own practices, and a practice's endpoint can name none", async () => {
  const { tools, practiceId } = await aPractice(tables);
  const owner = { author, practiceId: `plt_${practiceId}` };
  const refused = async (input: object) =>
    (await problemOf(addEndpoint(tools, { author, practiceId, url: newUrl, practiceIds: [practiceId], ...input }, now)))
      .extra;
  expect(await refused({})).toMatchObject({ errors: [{ pointer: '/practiceIds', code: 'unknown_field' }] });
  expect(await refused(owner)).toMatchObject({ errors: [{ pointer: '/practiceIds', code: 'invalid_value' }] });
  const joined = { set: { platformId: owner.practiceId, platformSince: iso(now) } };
  await update(tables.database, 'practices', { practiceId }, joined, z.unknown());
  const both = [practiceId, `prc_${'a'.repeat(20)}`];
  expect(await refused({ ...owner, practiceIds: both })).toMatchObject({ errors: [{ pointer: '/practiceIds' }] });
  expect(await addEndpoint(tools, { ...owner, url: newUrl, practiceIds: [practiceId] }, now)).toMatchObject({
    practiceIds: [practiceId],
  });
});

it('a list has everything that the owner needs to know, and no secrets', async () => {
  const { tools, row, key } = await anOwnedEndpoint({ ...trouble, retryPolicy: 'all' });
  const { signingSecret, previousSecretExpiresAt } = await rotateSecret(tools, { ...key, author }, now);
  const answer = await listEndpoints(tools, key);
  const { endpointId, url, eventTypes } = row;
  const { failingSince, failedAttempts, lastFailure, circuitOpenUntil, missedSince } = trouble;
  expect(answer.endpoints).toEqual([
    {
      endpointId,
      url,
      status: 'enabled',
      eventTypes,
      retryPolicy: 'all',
      failingSince,
      failedAttempts,
      lastFailure,
      circuitOpenUntil,
      missedSince,
      previousSecretExpiresAt,
      createdAt: iso(now),
    },
  ]);
  for (const secret of [signingSecret, row.signingSecret]) expect(JSON.stringify(answer)).not.toContain(secret);
});

describe('a change', () => {
  it("keeps what it does not mention, and the server's health", async () => {
    const { tools, row, key, read } = await anOwnedEndpoint(trouble);
    await updateEndpoint(tools, { author, ...key, retryPolicy: 'all' }, now);
    expect(await read()).toEqual({ ...row, retryPolicy: 'all' });
    const eventTypes = ['session.payment.succeeded' as const, 'session.payment.failed' as const];
    await updateEndpoint(tools, { author, ...key, eventTypes }, now);
    const changed = { ...row, eventTypesChangedAt: iso(now) };
    expect(await read()).toEqual({ ...changed, retryPolicy: 'all', eventTypes });
    await updateEndpoint(tools, { author, ...key, eventTypes: ['all'], retryPolicy: 'standard' }, now);
    const { eventTypes: _, ...withoutTypes } = changed;
    expect(await read()).toEqual({ ...withoutTypes, retryPolicy: 'standard' });
  });

  it('without a field, or with a value that is not allowed, is refused', async () => {
    const { tools, row, key, read } = await anOwnedEndpoint();
    for (const change of [{}, { url: undefined }, { url: '' }, { eventTypes: [] }, { retryPolicy: 'never' }])
      expect(await problemOf(updateEndpoint(tools, { author, ...key, ...change }, now))).toMatchObject({
        code: 'invalid_request',
      });
    expect(await read()).toEqual(row);
  });

  it.each(['https://10.0.0.5/', 'https://app.internal/'])('to the URL %s is refused', async (url) => {
    const { tools, row, key, read } = await anOwnedEndpoint();
    expect(await problemOf(updateEndpoint(tools, { author, ...key, url }, now))).toMatchObject({
      code: 'webhook_url_not_allowed',
      message: 'The URL must point to a public host.',
    });
    expect(await read()).toEqual(row);
  });

  it("of the URL clears the old server's health, but not the requests in flight", async () => {
    const { tools, row, key, read } = await anOwnedEndpoint({
      ...trouble,
      inFlight: new Set(['2026-11-20T15:00:00.000Z#evt_1']),
    });
    await updateEndpoint(tools, { author, ...key, url: newUrl }, now);
    const {
      failingSince,
      missedSince,
      failedAttempts,
      lastFailure,
      ownerNotifiedAt,
      consecutiveNoResponses,
      circuitOpenUntil,
      ...kept
    } = row;
    expect(await read()).toEqual({ ...kept, url: newUrl });
  });

  it('of the URL returns, once, when the old server began to miss webhooks', async () => {
    const { tools, key } = await anOwnedEndpoint(trouble);
    expect(await updateEndpoint(tools, { author, ...key, url: newUrl }, now)).toMatchObject({
      missedSince: trouble.missedSince,
    });
    const again = await updateEndpoint(tools, { author, ...key, url: 'https://newer.example.com/' }, now);
    expect(again.missedSince).toBeUndefined();
  });

  it('of the URL returns it too if the old server missed its first webhook in the meantime', async () => {
    const { tools, key } = await anOwnedEndpoint();
    const missedSince = iso(now);
    const watched = beforeEachCall(tools.database, async ({ operation }) => {
      if (operation === 'TransactWriteItems') await recordMissed(tables.database, { ...key, createdAt: missedSince });
    });
    const database = watched;
    expect(await updateEndpoint({ ...tools, database }, { author, ...key, url: newUrl }, now)).toMatchObject({
      url: newUrl,
      missedSince,
    });
  });

  it('of the URL of a disabled endpoint leaves that to enabling it', async () => {
    const { tools, key, read } = await anOwnedEndpoint({
      ...trouble,
      status: 'disabled',
      disabledReason: 'failing',
      disabledAt: iso(now),
    });
    expect(await updateEndpoint(tools, { author, ...key, url: newUrl }, now)).toMatchObject({ status: 'disabled' });
    expect(await read()).not.toHaveProperty('failedAttempts');
    expect(await enableEndpoint(tools, { ...key, author }, now)).toMatchObject({ missedSince: trouble.missedSince });
  });
});

it('an endpoint that is enabled already keeps its outage, however often a program enables it', async () => {
  const { tools, key, row, read } = await anOwnedEndpoint(trouble);
  const { missedSince } = await enableEndpoint(tools, { ...key, author }, now);
  expect(missedSince).toBe(trouble.missedSince);
  expect(await read()).toEqual(row);
  const { entries } = await listAuditLog(tables.database, key.practiceId, { limit: 10 });
  expect(entries.map(({ action }) => action)).not.toContain('webhook_endpoint.enabled');
});

it('the audit log keeps when an enabled endpoint began to miss webhooks, in case the answer is lost', async () => {
  const { tools, key } = await anOwnedEndpoint({ ...trouble, status: 'disabled', disabledAt: iso(now) });
  await enableEndpoint(tools, { ...key, author }, now);
  const { entries } = await listAuditLog(tables.database, key.practiceId, { limit: 10 });
  const enabled = entries.filter(({ action }) => action === 'webhook_endpoint.enabled');
  expect(enabled).toMatchObject([{ details: { missedSince: trouble.missedSince } }]);
});

it('an endpoint that is enabled again forgets why it was disabled, and gets what happens from then on', async () => {
  const endpoint = await anEndpoint(tables);
  const { state } = endpoint;
  state.answer = { statusCode: 410 };
  await endpoint.attempt(await endpoint.event(), 1);
  expect(await endpoint.endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  state.answer = { statusCode: 200 };
  await enableEndpoint(endpoint.tools, { ...endpoint, author }, now);
  const { practiceId, endpointId, url, signingSecret, createdAt } = await endpoint.endpoint();
  expect(await endpoint.endpoint()).toEqual({
    practiceId,
    endpointId,
    url,
    signingSecret,
    createdAt,
    status: 'enabled',
    inFlight: undefined,
    answeredAt: createdAt,
  });
  await endpoint.attempt(await endpoint.event(), 1);
  expect(state.posts).toHaveLength(2);
});

describe('a rotated secret', () => {
  it.each([
    [undefined, 24],
    [0, 0],
    [168, 168],
  ])('with %s hours keeps the old one for %s hours', async (keepOldHours, hours) => {
    const { tools, row, key, read } = await anOwnedEndpoint();
    const { signingSecret, previousSecretExpiresAt } = await rotateSecret(tools, { author, ...key, keepOldHours }, now);
    expect(previousSecretExpiresAt).toBe(iso(now + hours * hour));
    expect(await read()).toEqual({
      ...row,
      signingSecret,
      previousSigningSecret: row.signingSecret,
      previousSecretExpiresAt,
      olderSigningSecrets: [],
    });
  });

  it.each([-1, 169])('cannot keep the old one for %s hours', async (keepOldHours) => {
    const { tools, row, key, read } = await anOwnedEndpoint();
    const refused = await problemOf(rotateSecret(tools, { author, ...key, keepOldHours }, now));
    expect(refused).toMatchObject({ code: 'invalid_request', extra: { errors: [{ pointer: '/keepOldHours' }] } });
    expect(await read()).toEqual(row);
  });

  it('goes to each of two people who rotate it at once, and all three secrets sign', async () => {
    const { tools, row, key, read } = await anOwnedEndpoint();
    const rotate = (database = tools.database) => rotateSecret({ ...tools, database }, { author, ...key }, now);
    let first: Awaited<ReturnType<typeof rotate>> | undefined;
    const watched = beforeEachCall(tools.database, async ({ operation }) => {
      if (operation === 'TransactWriteItems') first ??= await rotate();
    });
    const { signingSecret } = await rotate(watched);
    const rotated = (await read()) ?? row;
    expect(signingSecrets(rotated, now)).toEqual([signingSecret, first?.signingSecret, row.signingSecret]);
  });

  it('that is written twice, since the first answer was lost, leaves the one before in its place', async () => {
    const { row, key, read } = await anOwnedEndpoint();
    const change = rotatedSecrets(row, 'whsec_new', iso(now + 24 * hour), now);
    const entry = anEntry(key.practiceId);
    const rotate = () => rotateSigningSecret(tables.database, row, change, entry);
    const first = await rotate();
    expect(first).toMatchObject({ signingSecret: 'whsec_new', previousSigningSecret: row.signingSecret });
    expect(await rotate()).toEqual(first);
    expect(await read()).toEqual(first);
  });
});

it('an endpoint that does not exist, or is of another practice, is not found and not created', async () => {
  const { row, key: own, read } = await anOwnedEndpoint();
  const { practiceId } = await aPractice(tables);
  const tools = practiceTools(tables);
  for (const key of [
    { ...own, endpointId: 'whe_none' },
    { ...own, practiceId },
  ]) {
    const refused = [
      () => updateEndpoint(tools, { author, ...key, url: newUrl }, now),
      () => updateEndpoint(tools, { author, ...key, retryPolicy: 'all' }, now),
      () => deleteEndpoint(tools, { ...key, author }, now),
      () => disableEndpoint(tools, { ...key, author }, now),
      () => enableEndpoint(tools, { ...key, author }, now),
      () => rotateSecret(tools, { ...key, author }, now),
      () => getSigningSecret(tools, key),
    ];
    for (const work of refused) expect(await problemOf(work())).toMatchObject({ code: 'webhook_endpoint_not_found' });
    expect(await getWebhookEndpoint(tables.database, key.practiceId, key.endpointId)).toBeUndefined();
  }
  expect(await read()).toEqual(row);
});

it.each<[string, (tools: EndpointTools, key: EndpointOfAuthor) => Promise<unknown>]>([
  ['moved', (tools, key) => updateEndpoint(tools, { ...key, url: newUrl }, now)],
  ['changed', (tools, key) => updateEndpoint(tools, { ...key, retryPolicy: 'all' }, now)],
  ['deleted', (tools, key) => deleteEndpoint(tools, key, now)],
  ['disabled', (tools, key) => disableEndpoint(tools, key, now)],
  ['enabled', (tools, key) => enableEndpoint(tools, key, now)],
  ['given another secret', (tools, key) => rotateSecret(tools, key, now)],
])('an endpoint that someone else deletes while it is %s is not found, and stays deleted', async (_, work) => {
  const { tools, key, read } = await anOwnedEndpoint({ status: 'disabled', disabledAt: iso(now) });
  let isDeleted = false;
  const database = beforeEachCall(tools.database, async ({ operation }) => {
    if (operation !== 'TransactWriteItems' || isDeleted) return;
    isDeleted = true;
    await deleteEndpoint(tools, { ...key, author }, now);
  });
  expect(await problemOf(work({ ...tools, database }, { ...key, author }))).toMatchObject({
    code: 'webhook_endpoint_not_found',
  });
  expect(await read()).toBeUndefined();
});

it('an endpoint is placed: moved to a URL, or added there if it was deleted', async () => {
  const { tools, row, key, read } = await anOwnedEndpoint(trouble);
  const { signingSecret } = row;
  expect(await placeEndpoint(tools, { author, ...key, url: row.url }, now)).toEqual({
    endpointId: key.endpointId,
    url: row.url,
    signingSecret,
  });
  expect(await read()).toEqual(row);
  expect(await placeEndpoint(tools, { author, ...key, url: newUrl }, now)).toMatchObject({
    endpointId: key.endpointId,
  });
  expect(await read()).not.toHaveProperty('failingSince');
  await deleteEndpoint(tools, { ...key, author }, now);
  const added = await placeEndpoint(tools, { author, ...key, url: newUrl }, now);
  expect(added.endpointId).not.toBe(key.endpointId);
  expect(await getWebhookEndpoint(tables.database, key.practiceId, added.endpointId)).toMatchObject({
    url: newUrl,
    signingSecret: added.signingSecret,
  });
  expect(await problemOf(placeEndpoint(tools, { author, ...key, url: 'http://10.0.0.5/' }, now))).toMatchObject({
    code: 'webhook_url_not_allowed',
  });
});
