import * as z from 'zod/mini';
import type { AuditEntry } from '../../domain/team/audit-entry.ts';
import { serverHealth } from '../../domain/webhooks/endpoint-health.ts';
import { Fault } from '../../domain/fault.ts';
import { idempotencyKey, type IdempotencyKey } from '../../domain/idempotency-key.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry-schedule.ts';
import { toIso } from '../../domain/time.ts';
import { webhookEndpoint, type rotatedSecrets, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { auditPart, updateAudited } from '../team/audit-log.ts';
import type { Database } from '../database.ts';
import { allOf, expression, isStill } from '../expressions.ts';
import { get, queryAll, update, type Updated } from '../rows.ts';
import { transact } from '../transact.ts';
import { deleteRow, putNew, type Change, type Part } from '../writes.ts';

interface EndpointSettings {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | 'all' | undefined;
  readonly practiceIds?: readonly string[] | 'all' | undefined;
  readonly retryPolicy?: RetryPolicy | undefined;
}

export type EndpointKey = Pick<WebhookEndpoint, 'practiceId' | 'endpointId'>;

export function keyOf({ practiceId, endpointId }: EndpointKey): EndpointKey {
  return { practiceId, endpointId };
}

export async function getWebhookEndpoint(database: Database, practiceId: string, endpointId: string) {
  return get(database, 'webhookEndpoints', { practiceId, endpointId }, webhookEndpoint);
}

/** Strongly consistent: an event must not miss an endpoint created before it. */
export async function listWebhookEndpoints(database: Database, practiceId: string): Promise<WebhookEndpoint[]> {
  return queryAll(database, 'webhookEndpoints', { key: expression`practiceId = ${practiceId}` }, webhookEndpoint);
}

const subscription = z.pick(webhookEndpoint, { eventTypes: true, practiceIds: true });

/** Reads only what `grantSubscriptions` allows: no URL and no secret. */
export async function listSubscriptions(database: Database, practiceId: string) {
  const key = expression`practiceId = ${practiceId}`;
  const projection = expression`eventTypes, practiceIds`;
  return queryAll(database, 'webhookEndpoints', { key, projection, select: 'SPECIFIC_ATTRIBUTES' }, subscription);
}

/** `once` puts the request's idempotency key. If the key was used, creates nothing and returns the key's row. */
export async function createWebhookEndpoint(
  database: Database,
  created: WebhookEndpoint,
  entry: AuditEntry,
  once?: Part,
): Promise<IdempotencyKey | undefined> {
  const refused = await transact(database, {
    endpoint: putNew(database, 'webhookEndpoints', created, 'endpointId'),
    key: once,
    audit: auditPart(database, entry),
  });
  if (!refused) return undefined;
  if (!refused.has('key')) throw new Fault('a new endpoint id was already taken');
  return z.parse(idempotencyKey, refused.get('key'));
}

export async function updateEndpointRow(database: Database, key: EndpointKey, change: Change<WebhookEndpoint>) {
  const guarded = { ...change, condition: change.condition ?? exists };
  const { written, row } = await update(database, 'webhookEndpoints', keyOf(key), guarded, webhookEndpoint);
  return written ? row : undefined;
}

const exists = expression`attribute_exists(endpointId)`;

async function updateByPerson(
  database: Database,
  key: EndpointKey,
  change: Change<WebhookEndpoint>,
  entry: AuditEntry,
): Promise<Updated<WebhookEndpoint>> {
  const guarded = { ...change, condition: change.condition ?? exists };
  return updateAudited(database, 'webhookEndpoints', keyOf(key), guarded, webhookEndpoint, auditPart(database, entry));
}

/** Undefined if another rotation was written since the read. Idempotent, because a call is repeated if its response is lost. */
export async function rotateSigningSecret(
  database: Database,
  asRead: WebhookEndpoint,
  secrets: ReturnType<typeof rotatedSecrets>,
  entry: AuditEntry,
): Promise<WebhookEndpoint | undefined> {
  const rotation = { set: secrets, condition: expression`signingSecret = ${asRead.signingSecret}` };
  const { written, row } = await updateByPerson(database, asRead, rotation, entry);
  return written || row?.signingSecret === secrets.signingSecret ? row : undefined;
}

/** Undefined if there is no such endpoint. Disabling a disabled one changes nothing and writes no entry. */
export async function disableWebhookEndpoint(
  database: Database,
  key: EndpointKey,
  now: number,
  entry: AuditEntry,
): Promise<WebhookEndpoint | undefined> {
  const condition = expression`status = ${'enabled'}`;
  const set = { status: 'disabled', disabledAt: toIso(now) } as const;
  return (await updateByPerson(database, key, { set, condition }, entry)).row;
}

/** Writes nothing and returns undefined if what a replay depends on has changed since the read. */
export async function enableWebhookEndpoint(database: Database, asRead: WebhookEndpoint, entry: AuditEntry) {
  const change = {
    set: { status: 'enabled' },
    remove: ['disabledReason', 'disabledAt', ...serverHealth, 'missedSince'],
    condition: allOf(
      expression`status = ${asRead.status}`,
      isStill('missedSince', asRead.missedSince),
      isStill('disabledAt', asRead.disabledAt),
    ),
  } as const;
  const { written, row } = await updateByPerson(database, asRead, change, entry);
  return written ? row : undefined;
}

/** A new URL clears the old server's health. `missedSince` stays if the endpoint is disabled or missed more since the read. */
export async function updateWebhookEndpoint(
  database: Database,
  asRead: EndpointKey & Pick<WebhookEndpoint, 'missedSince'>,
  { url, eventTypes, practiceIds, retryPolicy }: EndpointSettings,
  entry: AuditEntry,
): Promise<WebhookEndpoint | undefined> {
  const set = {
    url,
    retryPolicy,
    eventTypesChangedAt: (eventTypes ?? practiceIds) && entry.at,
    eventTypes: eventTypes === 'all' ? null : eventTypes && [...eventTypes],
    practiceIds: practiceIds === 'all' ? null : practiceIds && [...practiceIds],
  };
  const moving = {
    set,
    remove: [...serverHealth, 'firstDeliveredAt', 'missedSince'],
    condition: allOf(expression`status = ${'enabled'}`, isStill('missedSince', asRead.missedSince)),
  } as const;
  if (url !== undefined) {
    const moved = await updateByPerson(database, asRead, moving, entry);
    if (moved.written) return moved.row;
  }
  // Still right if the endpoint was enabled in between: enabling clears `missedSince`.
  const remove = url === undefined ? [] : [...serverHealth, 'firstDeliveredAt' as const];
  const { written, row } = await updateByPerson(database, asRead, { set, remove }, entry);
  return written ? row : undefined;
}

/** False if there is no such endpoint. */
export async function deleteWebhookEndpoint(database: Database, key: EndpointKey, entry: AuditEntry) {
  const refused = await transact(database, {
    endpoint: deleteRow(database, 'webhookEndpoints', keyOf(key), exists),
    audit: auditPart(database, entry),
  });
  return refused === undefined;
}
