import { circuitPause, firstPause, serverHealth } from '../domain/endpoint-health.ts';
import { toIso } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Database } from './database.ts';
import { updateEndpoint, type EndpointKey } from './webhook-endpoints.ts';

type Endpoints = Database<'webhookEndpoints'>;

/** Ends a request that succeeded: its slot is free, and all trouble is forgotten. */
export async function recordSuccess(database: Endpoints, endpoint: EndpointKey, slot: string): Promise<void> {
  await updateEndpoint(database, endpoint, {
    UpdateExpression: `REMOVE ${[...serverHealth, 'missedSince'].join(', ')} DELETE inFlight :slot`,
    ConditionExpression: 'attribute_exists(endpointId)',
    ExpressionAttributeValues: { ':slot': new Set([slot]) },
  });
}

/**
 * Ends a request that failed: its slot is free, and the attempt is counted; a fault (no answer at all) counts towards the circuit and may open it, an
 * answer closes it. Gives the endpoint as it now is; undefined, and nothing is written, where it is gone or has another URL by now. Many attempts may fail at once, so that what counts is the number as written and not as `endpoint` was read.
 */
export async function recordFailure(
  database: Endpoints,
  endpoint: WebhookEndpoint,
  { slot, fault, deliveryCreatedAt }: { slot: string; fault: boolean; deliveryCreatedAt: string },
  now: number,
): Promise<WebhookEndpoint | undefined> {
  const circuit = fault ? ', circuitFaults :one' : ' REMOVE circuitFaults, circuitOpenUntil';
  const counted = await updateEndpoint(database, endpoint, {
    UpdateExpression: `SET failingSince = if_not_exists(failingSince, :now), missedSince = if_not_exists(missedSince, :createdAt), lastFailedAt = :now ADD failedAttempts :one${circuit} DELETE inFlight :slot`,
    ConditionExpression: '#url = :url',
    ExpressionAttributeNames: { '#url': 'url' },
    ExpressionAttributeValues: {
      ':url': endpoint.url,
      ':now': toIso(now),
      ':createdAt': deliveryCreatedAt,
      ':one': 1,
      ':slot': new Set([slot]),
    },
    ReturnValues: 'ALL_NEW',
  });
  return counted && fault ? openCircuit(database, endpoint, counted, now) : counted;
}

/** Opens the circuit after a fault too many: for the first pause, or for a longer one where a probe has failed. What fails beside it while it is open changes nothing. */
async function openCircuit(
  database: Endpoints,
  asRead: WebhookEndpoint,
  counted: WebhookEndpoint,
  now: number,
): Promise<WebhookEndpoint> {
  const isProbe = asRead.circuitOpenUntil !== undefined;
  const pause = circuitPause(counted.circuitFaults ?? 0);
  if (pause === undefined || (counted.circuitOpenUntil !== undefined && !isProbe)) return counted;
  const opened = await updateEndpoint(database, asRead, {
    UpdateExpression: 'SET circuitOpenUntil = :openUntil',
    ConditionExpression: 'attribute_exists(circuitFaults)',
    ExpressionAttributeValues: { ':openUntil': toIso(now + (isProbe ? pause : firstPause)) },
    ReturnValues: 'ALL_NEW',
  });
  return opened ?? counted;
}

/** Notes a delivery that an endpoint has missed, if it is the oldest so far. */
export async function recordMissed(
  database: Endpoints,
  endpoint: EndpointKey,
  deliveryCreatedAt: string,
): Promise<void> {
  await updateEndpoint(database, endpoint, {
    UpdateExpression: 'SET missedSince = :createdAt',
    ConditionExpression:
      'attribute_exists(endpointId) AND (attribute_not_exists(missedSince) OR missedSince > :createdAt)',
    ExpressionAttributeValues: { ':createdAt': deliveryCreatedAt },
  });
}

/** Notes that the owner was told. */
export async function recordTold(database: Endpoints, endpoint: WebhookEndpoint, now: number): Promise<void> {
  await updateEndpoint(database, endpoint, {
    UpdateExpression: 'SET failingToldAt = :now',
    ConditionExpression: 'attribute_exists(failingSince)',
    ExpressionAttributeValues: { ':now': toIso(now) },
  });
}
