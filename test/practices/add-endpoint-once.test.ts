import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { practiceEndpointRoutes } from '../../functions/contract/webhooks/webhook-endpoints.ts';
import { day } from '../../functions/domain/time.ts';
import { addEndpointOnce } from '../../functions/webhooks/practice-endpoints.ts';
import { addEndpoint, deleteEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { listWebhookEndpoints } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice } from './a-practice.ts';

const tables = await startTestTables();
const now = Date.parse('2026-11-20T15:00:00.000Z');
const url = 'https://hooks.example.com/in';
const reused = { code: 'idempotency_key_reused' };

async function adding() {
  const { tools, practiceId } = await aPractice(tables);
  const owned = { practiceId, author };
  return {
    tools,
    practiceId,
    addAnother: () => addEndpoint(tools, { ...owned, url }, now),
    add: (idempotencyKey: string | undefined, differences = {}, at = now) =>
      addEndpointOnce(tools, { ...owned, url, ...differences, idempotencyKey }, at),
    count: async () => (await listWebhookEndpoints(tables.database, practiceId)).length,
  };
}

describe('adding a webhook endpoint with an idempotency key', () => {
  it('is replayed for a day, with its secret, to the same request', async () => {
    const { add, count, practiceId } = await adding();
    const key = randomUUID();
    const { response, replayed } = await add(key, { eventTypes: ['session.payment.failed'] });
    expect({ response, replayed }).toMatchObject({ response: { url, status: 'enabled' }, replayed: false });
    for (const at of [now + 1, now + day - 1]) {
      const again = await add(key, { eventTypes: ['session.payment.failed'] }, at);
      expect(again).toEqual({ response: { ...response, retryPolicy: 'standard' }, replayed: true });
    }
    expect(await count()).toBe(1);
    const { entries } = await listAuditLog(tables.database, practiceId, { limit: 10 });
    expect(entries.filter(({ action }) => action === 'webhook_endpoint.created')).toHaveLength(1);
    expect((await add(key, {}, now + day)).response.endpointId).not.toBe(response.endpointId);
  });

  it('is replayed even if the endpoint was deleted since, as the contract says, and a new key adds one', async () => {
    const { tools, practiceId, add, count } = await adding();
    const key = randomUUID();
    const { endpointId } = (await add(key)).response;
    await deleteEndpoint(tools, { practiceId, endpointId, author }, now);
    expect(await add(key)).toMatchObject({ response: { endpointId, status: 'enabled' }, replayed: true });
    expect(await count()).toBe(0);
    expect(practiceEndpointRoutes.createWebhookEndpoint.description).toContain(
      'even if the endpoint was deleted since',
    );
    expect(await add(randomUUID())).toMatchObject({ replayed: false });
    expect(await count()).toBe(1);
  });

  it('creates one endpoint for requests at the same moment', async () => {
    const { add, count } = await adding();
    const key = randomUUID();
    const added = await Promise.all([1, 2, 3, 4].map(() => add(key)));
    expect(new Set(added.map(({ response }) => response.signingSecret)).size).toBe(1);
    expect(added.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  it('is replayed even if it created the last allowed endpoint', async () => {
    const { add, addAnother } = await adding();
    for (let number = 0; number < 19; number += 1) await addAnother();
    const key = randomUUID();
    const { response } = await add(key);
    expect(await add(key)).toMatchObject({ response: { endpointId: response.endpointId }, replayed: true });
    expect(await problemOf(add(randomUUID()))).toMatchObject({ code: 'too_many_webhook_endpoints' });
  });

  it.each([
    { url: 'https://hooks.example.com/other' },
    { eventTypes: ['session.payment.failed'] },
    { retryPolicy: 'all' },
  ])('is refused with the key of another request: %j', async (difference) => {
    const { add, count } = await adding();
    const key = randomUUID();
    await add(key);
    expect(await problemOf(add(key, difference))).toMatchObject(reused);
    expect(await count()).toBe(1);
  });

  it('of a platform is refused with the key of a request that named other practices', async () => {
    const { add } = await adding();
    const key = randomUUID();
    const practiceId = `plt_${key}`;
    await add(key, { practiceId });
    expect(await problemOf(add(key, { practiceId, practiceIds: ['prc_one'] }))).toMatchObject(reused);
    expect(await add(key, { practiceId })).toMatchObject({ replayed: true });
  });

  it('is refused with the key of a session, and a session with its key', async () => {
    const { add, count, tools, practiceId } = await adding();
    const body = { invoiceId: 'INV-1043', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
    const create = (idempotencyKey: string) =>
      createSession({ ...tools, hostedPageUrl: 'https://pay.example' }, { practiceId, body, idempotencyKey }, now);
    await create('of a session');
    expect(await problemOf(add('of a session'))).toMatchObject(reused);
    await add('of an endpoint');
    expect(await problemOf(create('of an endpoint'))).toMatchObject(reused);
    expect(await count()).toBe(1);
  });

  it('does not use up the key if it is refused', async () => {
    const { add } = await adding();
    const key = randomUUID();
    expect(await problemOf(add(key, { url: 'https://10.0.0.1/' }))).toMatchObject({ code: 'webhook_url_not_allowed' });
    expect(await add(key)).toMatchObject({ replayed: false });
  });
});

it('adding one again without a key makes another', async () => {
  const { add, count } = await adding();
  await add(undefined);
  expect(await add(undefined)).toMatchObject({ replayed: false });
  expect(await count()).toBe(2);
});
