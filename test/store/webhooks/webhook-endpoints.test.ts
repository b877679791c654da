import { describe, expect, it } from 'vitest';
import { toIso } from '../../../functions/domain/time.ts';
import { freeSlots } from '../../../functions/store/webhooks/endpoint-health.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  getWebhookEndpoint,
} from '../../../functions/store/webhooks/webhook-endpoints.ts';
import { anEntry } from '../../support/create-practice.ts';
import { startTestTables } from '../../support/tables.ts';
import { storeEndpoint } from '../../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

async function anEndpoint() {
  const row = await storeEndpoint(database);
  const { practiceId, endpointId } = row;
  const key = { practiceId, endpointId };
  return { row, key, entry: anEntry(practiceId), read: () => getWebhookEndpoint(database, practiceId, endpointId) };
}

it('an endpoint does not take the place of another', async () => {
  const { row, entry, read } = await anEndpoint();
  const again = createWebhookEndpoint(database, { ...row, url: 'https://other.example.com/' }, entry);
  await expect(again).rejects.toThrow('a new endpoint id was already taken');
  expect(await read()).toEqual(row);
});

it('an endpoint is disabled from the first time on, however often', async () => {
  const { key, entry, read } = await anEndpoint();
  const disabled = { status: 'disabled', disabledAt: toIso(now) };
  for (const time of [now, now + 1])
    expect(await disableWebhookEndpoint(database, key, time, entry)).toMatchObject(disabled);
  expect(await read()).toMatchObject(disabled);
});

describe('an endpoint that was deleted', () => {
  it('is deleted once', async () => {
    const { key, entry, read } = await anEndpoint();
    expect(await deleteWebhookEndpoint(database, key, entry)).toBe(true);
    expect(await deleteWebhookEndpoint(database, key, entry)).toBe(false);
    expect(await read()).toBeUndefined();
  });

  it('is not brought back by a request in flight that frees its slot', async () => {
    const { key, entry, read } = await anEndpoint();
    await deleteWebhookEndpoint(database, key, entry);
    await freeSlots(database, key, ['slot'], now);
    expect(await read()).toBeUndefined();
  });
});
