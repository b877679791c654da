import { serverHealth } from '../domain/endpoint-health.ts';
import { Fault } from '../domain/fault.ts';
import type { RetryPolicy } from '../domain/retry-schedule.ts';
import { toIso } from '../domain/time.ts';
import { webhookEndpoint, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Database } from './database.ts';
import { allOf, expression } from './expressions.ts';
import { get, insert, queryAll, remove, update } from './rows.ts';
import type { Change } from './writes.ts';

type Endpoints = Database<'webhookEndpoints'>;

interface EndpointSettings {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | 'all' | undefined;
  readonly retryPolicy?: RetryPolicy | undefined;
}

export type EndpointKey = Pick<WebhookEndpoint, 'practiceId' | 'endpointId'>;

export function keyOf({ practiceId, endpointId }: EndpointKey): EndpointKey {
  return { practiceId, endpointId };
}

export async function getWebhookEndpoint(
  database: Endpoints,
  practiceId: string,
  endpointId: string,
): Promise<WebhookEndpoint | undefined> {
  return get(database, 'webhookEndpoints', { practiceId, endpointId }, webhookEndpoint);
}

/** Strongly consistent: an event must not miss an endpoint created before it. */
export async function listWebhookEndpoints(database: Endpoints, practiceId: string): Promise<WebhookEndpoint[]> {
  return queryAll(database, 'webhookEndpoints', { key: expression`practiceId = ${practiceId}` }, webhookEndpoint);
}

export async function createWebhookEndpoint(database: Endpoints, created: WebhookEndpoint): Promise<void> {
  if (!(await insert(database, 'webhookEndpoints', created, 'endpointId')))
    throw new Fault('a new endpoint id was already taken');
}

export async function updateEndpointRow(
  database: Endpoints,
  key: EndpointKey,
  change: Change<WebhookEndpoint>,
  returns: 'ALL_NEW' | 'ALL_OLD' = 'ALL_NEW',
): Promise<WebhookEndpoint | undefined> {
  const guarded = { ...change, condition: change.condition ?? expression`attribute_exists(endpointId)` };
  const { written, row } = await update(database, 'webhookEndpoints', keyOf(key), guarded, webhookEndpoint, returns);
  return written ? row : undefined;
}

export async function disableBrokenEndpoint(
  database: Endpoints,
  asRead: WebhookEndpoint,
  reason: 'gone' | 'failing',
  now: number,
): Promise<void> {
  const { url, failingSince = '' } = asRead;
  await updateEndpointRow(database, asRead, {
    set: { status: 'disabled', disabledReason: reason, disabledAt: toIso(now) },
    condition: allOf(
      expression`url = ${url} AND status = ${'enabled'}`,
      reason === 'failing' ? expression`failingSince = ${failingSince}` : undefined,
    ),
  });
}

/** Idempotent per secret: the SDK retries a write whose response was lost. */
export async function rotateSigningSecret(
  database: Endpoints,
  practiceId: string,
  endpointId: string,
  { signingSecret, previousSecretExpiresAt }: { signingSecret: string; previousSecretExpiresAt: string },
): Promise<WebhookEndpoint | undefined> {
  const rotation = {
    set: { previousSigningSecret: expression`signingSecret`, signingSecret, previousSecretExpiresAt },
    condition: expression`attribute_exists(endpointId) AND signingSecret <> ${signingSecret}`,
  };
  const { row } = await update(database, 'webhookEndpoints', { practiceId, endpointId }, rotation, webhookEndpoint);
  return row?.signingSecret === signingSecret ? row : undefined;
}

export async function disableWebhookEndpoint(
  database: Endpoints,
  key: EndpointKey,
  now: number,
): Promise<WebhookEndpoint | undefined> {
  return updateEndpointRow(database, key, {
    set: { status: 'disabled', disabledAt: toIso(now) },
    condition: expression`status = ${'enabled'}`,
  });
}

export async function enableWebhookEndpoint(
  database: Endpoints,
  key: EndpointKey,
): Promise<WebhookEndpoint | undefined> {
  return updateEndpointRow(
    database,
    key,
    { set: { status: 'enabled' }, remove: ['disabledReason', 'disabledAt', ...serverHealth, 'missedSince'] },
    'ALL_OLD',
  );
}

/** A new URL clears the old server's record; a disabled endpoint keeps `missedSince`. */
export async function updateWebhookEndpoint(
  database: Endpoints,
  key: EndpointKey,
  { url, eventTypes, retryPolicy }: EndpointSettings,
): Promise<WebhookEndpoint | undefined> {
  const set = { url, retryPolicy, ...(eventTypes !== 'all' && { eventTypes: eventTypes && [...eventTypes] }) };
  const unset = eventTypes === 'all' ? (['eventTypes'] as const) : [];
  if (url === undefined) return updateEndpointRow(database, key, { set, remove: unset });
  const moved = await updateEndpointRow(database, key, {
    set,
    remove: [...unset, ...serverHealth, 'firstDeliveredAt', 'missedSince'],
    condition: expression`status = ${'enabled'}`,
  });
  // Enabling in between clears the record.
  return moved ?? updateEndpointRow(database, key, { set, remove: [...unset, ...serverHealth, 'firstDeliveredAt'] });
}

export async function deleteWebhookEndpoint(database: Endpoints, key: EndpointKey): Promise<void> {
  await remove(database, 'webhookEndpoints', keyOf(key));
}
