import * as z from 'zod/mini';
import { circuitPause, mostInFlight } from '../domain/endpoint-health.ts';
import { toIso } from '../domain/time.ts';
import { webhookEndpoint, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { updateUnlessRefused, type Database } from './database.ts';
import { updateEndpoint, type EndpointKey } from './webhook-endpoints.ts';

type Endpoints = Database<'webhookEndpoints'>;

/**
 * Reads an endpoint and takes one of its slots for a request, if it is enabled, its circuit is closed and a slot is free.
 * `recordSuccess` and `recordFailure` give the slot back.
 */
export async function takeSlot(
  database: Endpoints,
  { practiceId, endpointId }: EndpointKey,
  slot: string,
): Promise<{ taken: boolean; endpoint: WebhookEndpoint | undefined }> {
  const { written, row } = await updateUnlessRefused(database, {
    TableName: database.tables.webhookEndpoints,
    Key: { practiceId, endpointId },
    UpdateExpression: 'ADD inFlight :slot',
    ConditionExpression:
      '#status = :enabled AND attribute_not_exists(circuitOpenUntil) AND (attribute_not_exists(inFlight) OR size(inFlight) < :most)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':enabled': 'enabled', ':slot': new Set([slot]), ':most': mostInFlight },
  });
  return { taken: written, endpoint: row === undefined ? undefined : z.parse(webhookEndpoint, row) };
}

/** Takes the right to make the one probe of an open circuit, and a slot for it: the others wait for another pause. Undefined where another has it. */
export async function takeProbe(
  database: Endpoints,
  endpoint: WebhookEndpoint,
  slot: string,
  now: number,
): Promise<WebhookEndpoint | undefined> {
  const pause = circuitPause(endpoint.circuitFaults ?? 0) ?? 0;
  return updateEndpoint(database, endpoint, {
    UpdateExpression: 'SET circuitOpenUntil = :openUntil ADD inFlight :slot',
    ConditionExpression: '#status = :enabled AND circuitOpenUntil = :asRead',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':enabled': 'enabled',
      ':openUntil': toIso(now + pause),
      ':asRead': endpoint.circuitOpenUntil,
      ':slot': new Set([slot]),
    },
  });
}

/** Frees the slots whose workers have died. */
export async function freeSlots(database: Endpoints, endpoint: EndpointKey, slots: readonly string[]): Promise<void> {
  await updateEndpoint(database, endpoint, {
    UpdateExpression: 'DELETE inFlight :slots',
    ExpressionAttributeValues: { ':slots': new Set(slots) },
  });
}
