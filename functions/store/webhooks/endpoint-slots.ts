import { circuitPause, respondingSince, maximumInFlight } from '../../domain/webhooks/endpoint-health.ts';
import { toIso } from '../../domain/time.ts';
import { webhookEndpoint, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../database.ts';
import { allOf, expression } from '../expressions.ts';
import { update } from '../rows.ts';
import { keyOf, updateEndpointRow, type EndpointKey } from './webhook-endpoints.ts';

type Endpoints = Database<'webhookEndpoints'>;

/** What a batch already holds when it takes more slots. */
export interface Held {
  readonly slot?: string | undefined;
  /** When the endpoint last answered the batch. */
  readonly answeredAt?: number | undefined;
}

/** Takes all of the slots or none. */
export async function takeSlots(
  database: Endpoints,
  key: EndpointKey,
  slots: readonly string[],
  now: number,
  { slot, answeredAt }: Held = {},
): Promise<{ taken: boolean; endpoint: WebhookEndpoint | undefined }> {
  const answers = expression`answeredAt >= ${respondingSince(now)}`;
  const isOpen = slot === undefined ? answers : expression`(${answers} OR contains(inFlight, ${slot}))`;
  const condition = allOf(
    expression`status = ${'enabled'} AND attribute_not_exists(circuitOpenUntil)`,
    expression`attribute_not_exists(inFlight) OR size(inFlight) <= ${maximumInFlight - slots.length} AND ${isOpen}`,
  );
  const set = { answeredAt: answeredAt === undefined ? undefined : toIso(answeredAt) };
  const taking = { set, add: { inFlight: new Set(slots) }, condition };
  const { written, row } = await update(database, 'webhookEndpoints', keyOf(key), taking, webhookEndpoint);
  return { taken: written, endpoint: row };
}

export async function takeProbe(
  database: Endpoints,
  endpoint: WebhookEndpoint,
  slot: string,
  now: number,
): Promise<WebhookEndpoint | undefined> {
  const { circuitOpenUntil = '', consecutiveNoResponses = 0 } = endpoint;
  return updateEndpointRow(database, endpoint, {
    set: { circuitOpenUntil: toIso(now + (circuitPause(consecutiveNoResponses) ?? 0)) },
    add: { inFlight: new Set([slot]) },
    condition: expression`status = ${'enabled'} AND circuitOpenUntil = ${circuitOpenUntil}`,
  });
}

/** `answeredAt` is when the endpoint last answered, if it did. */
export async function freeSlots(
  database: Endpoints,
  endpoint: EndpointKey,
  slots: readonly string[],
  answeredAt?: number,
): Promise<void> {
  await updateEndpointRow(database, endpoint, {
    set: { answeredAt: answeredAt === undefined ? undefined : toIso(answeredAt) },
    delete: { inFlight: new Set(slots) },
  });
}
