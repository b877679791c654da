import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { circuitPause, firstPause } from '../domain/endpoint-health.ts';
import { toIso } from '../domain/time.ts';
import { webhookEndpoint, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { unlessRefused, type Database } from './database.ts';

type Endpoints = Database<'webhookEndpoints'>;

/** Forgets all trouble after a success. Gives the endpoint as it was, where there was trouble to forget. */
export async function recordSuccess(database: Endpoints, endpoint: WebhookEndpoint): Promise<WebhookEndpoint | undefined> {
  if (endpoint.failingSince === undefined && endpoint.circuitFaults === undefined) return undefined;
  return update(database, endpoint, {
    UpdateExpression: 'REMOVE failingSince, failedAttempts, failingToldAt, circuitFaults, circuitOpenUntil',
    ConditionExpression: 'attribute_exists(failingSince) OR attribute_exists(circuitFaults)',
    ReturnValues: 'ALL_OLD',
  });
}

/**
 * Counts a failed attempt; a fault (no answer at all) counts towards the circuit and may open it, an answer closes it. Gives the endpoint as
 * it now is. Many attempts may fail at once, so that what counts is the number as written and not as `endpoint` was read.
 */
export async function recordFailure(
  database: Endpoints,
  endpoint: WebhookEndpoint,
  fault: boolean,
  now: number,
): Promise<WebhookEndpoint | undefined> {
  const circuit = fault ? ', circuitFaults :one' : ' REMOVE circuitFaults, circuitOpenUntil';
  const counted = await update(database, endpoint, {
    UpdateExpression: `SET failingSince = if_not_exists(failingSince, :now) ADD failedAttempts :one${circuit}`,
    ConditionExpression: 'attribute_exists(endpointId)',
    ExpressionAttributeValues: { ':now': toIso(now), ':one': 1 },
    ReturnValues: 'ALL_NEW',
  });
  return counted && fault ? openCircuit(database, endpoint, counted, now) : counted;
}

/** Opens the circuit after a fault too many: for the first pause, or for a longer one where a probe has failed. What fails beside it while it is open changes nothing. */
async function openCircuit(database: Endpoints, asRead: WebhookEndpoint, counted: WebhookEndpoint, now: number): Promise<WebhookEndpoint> {
  const isProbe = asRead.circuitOpenUntil !== undefined;
  const pause = circuitPause(counted.circuitFaults ?? 0);
  if (pause === undefined || (counted.circuitOpenUntil !== undefined && !isProbe)) return counted;
  const opened = await update(database, asRead, {
    UpdateExpression: 'SET circuitOpenUntil = :openUntil',
    ConditionExpression: 'attribute_exists(circuitFaults)',
    ExpressionAttributeValues: { ':openUntil': toIso(now + (isProbe ? pause : firstPause)) },
    ReturnValues: 'ALL_NEW',
  });
  return opened ?? counted;
}

/** Takes the right to make the one probe of an open circuit: the others wait for another pause. False where another has it. */
export async function takeProbe(database: Endpoints, endpoint: WebhookEndpoint, now: number): Promise<boolean> {
  const pause = circuitPause(endpoint.circuitFaults ?? 0) ?? 0;
  const taken = await update(database, endpoint, {
    UpdateExpression: 'SET circuitOpenUntil = :openUntil',
    ConditionExpression: 'circuitOpenUntil = :asRead',
    ExpressionAttributeValues: { ':openUntil': toIso(now + pause), ':asRead': endpoint.circuitOpenUntil },
    ReturnValues: 'ALL_NEW',
  });
  return taken !== undefined;
}

/** Notes that the owner was told. */
export async function recordTold(database: Endpoints, endpoint: WebhookEndpoint, now: number): Promise<void> {
  await update(database, endpoint, {
    UpdateExpression: 'SET failingToldAt = :now',
    ConditionExpression: 'attribute_exists(failingSince)',
    ExpressionAttributeValues: { ':now': toIso(now) },
  });
}

async function update(
  database: Endpoints,
  { practiceId, endpointId }: WebhookEndpoint,
  change: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<WebhookEndpoint | undefined> {
  const written = await unlessRefused(
    database.client.send(
      new UpdateCommand({ TableName: database.tables.webhookEndpoints, Key: { practiceId, endpointId }, ...change }),
    ),
  );
  return written?.Attributes && z.parse(webhookEndpoint, written.Attributes);
}
