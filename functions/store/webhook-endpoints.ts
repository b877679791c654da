import { GetCommand, PutCommand, QueryCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toIso } from '../domain/time.ts';
import { webhookEndpoint, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { unlessRefused, type Database } from './database.ts';

type Endpoints = Database<'webhookEndpoints'>;

export type EndpointKey = Pick<WebhookEndpoint, 'practiceId' | 'endpointId'>;

export async function getWebhookEndpoint(database: Endpoints, practiceId: string, endpointId: string): Promise<WebhookEndpoint | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.webhookEndpoints, Key: { practiceId, endpointId }, ConsistentRead: true }),
  );
  return Item && z.parse(webhookEndpoint, Item);
}

/** All endpoints of a practice, read strongly: an event must not miss an endpoint that was saved before it. */
export async function listWebhookEndpoints(database: Endpoints, practiceId: string): Promise<WebhookEndpoint[]> {
  const found: WebhookEndpoint[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await database.client.send(
      new QueryCommand({
        TableName: database.tables.webhookEndpoints,
        KeyConditionExpression: 'practiceId = :practiceId',
        ExpressionAttributeValues: { ':practiceId': practiceId },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    found.push(...(page.Items ?? []).map((item) => z.parse(webhookEndpoint, item)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}

export async function createWebhookEndpoint(database: Endpoints, created: WebhookEndpoint): Promise<void> {
  await database.client.send(
    new PutCommand({ TableName: database.tables.webhookEndpoints, Item: created, ConditionExpression: 'attribute_not_exists(endpointId)' }),
  );
}

/** Turns an endpoint off because of its server, unless it has another URL by now: 410 Gone, or no success for days. */
export async function disableWebhookEndpoint(database: Endpoints, { practiceId, endpointId, url }: WebhookEndpoint, reason: 'gone' | 'failing', now: number): Promise<void> {
  await updateEndpoint(database, { practiceId, endpointId }, {
    UpdateExpression: 'SET #status = :disabled, disabledReason = :reason, disabledAt = :now',
    ConditionExpression: '#url = :url AND #status = :enabled',
    ExpressionAttributeNames: { '#status': 'status', '#url': 'url' },
    ExpressionAttributeValues: { ':disabled': 'disabled', ':enabled': 'enabled', ':reason': reason, ':now': toIso(now), ':url': url },
  });
}

/**
 * Gives an endpoint a new signing secret; the one it had goes on signing beside it until `previousSecretExpiresAt`.
 * Undefined where the practice has no such endpoint.
 */
export async function rotateSigningSecret(
  database: Endpoints,
  practiceId: string,
  endpointId: string,
  change: { signingSecret: string; previousSecretExpiresAt: string },
): Promise<WebhookEndpoint | undefined> {
  return updateEndpoint(database, { practiceId, endpointId }, {
    UpdateExpression: 'SET previousSigningSecret = signingSecret, signingSecret = :signingSecret, previousSecretExpiresAt = :expiresAt',
    ExpressionAttributeValues: { ':signingSecret': change.signingSecret, ':expiresAt': change.previousSecretExpiresAt },
  });
}

/** Turns an endpoint off by its owner's wish, unless it is off already. Undefined where the practice has no such endpoint that is on. */
export async function turnWebhookOff(database: Endpoints, key: EndpointKey, now: number): Promise<WebhookEndpoint | undefined> {
  return updateEndpoint(database, key, {
    UpdateExpression: 'SET #status = :disabled, disabledAt = :now',
    ConditionExpression: '#status = :enabled',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':disabled': 'disabled', ':enabled': 'enabled', ':now': toIso(now) },
  });
}

/** Turns an endpoint on, with a clean record. Gives it as it was; undefined where the practice has no such endpoint. */
export async function turnWebhookOn(database: Endpoints, key: EndpointKey): Promise<WebhookEndpoint | undefined> {
  return updateEndpoint(database, key, {
    UpdateExpression: 'SET #status = :enabled REMOVE disabledReason, disabledAt, failingSince, missedSince, failedAttempts, failingToldAt, circuitFaults, circuitOpenUntil',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':enabled': 'enabled' },
    ReturnValues: 'ALL_OLD',
  });
}

/** Gives an endpoint another URL. Undefined where the practice has no such endpoint. */
export async function changeWebhookUrl(database: Endpoints, practiceId: string, endpointId: string, url: string): Promise<WebhookEndpoint | undefined> {
  return updateEndpoint(database, { practiceId, endpointId }, {
    UpdateExpression: 'SET #url = :url',
    ExpressionAttributeNames: { '#url': 'url' },
    ExpressionAttributeValues: { ':url': url },
  });
}

/** Changes an endpoint; undefined where it is not there or the condition refuses. */
export async function updateEndpoint(
  database: Endpoints,
  { practiceId, endpointId }: EndpointKey,
  update: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<WebhookEndpoint | undefined> {
  const written = await unlessRefused(
    database.client.send(
      new UpdateCommand({
        TableName: database.tables.webhookEndpoints,
        Key: { practiceId, endpointId },
        ConditionExpression: 'attribute_exists(endpointId)',
        ReturnValues: 'ALL_NEW',
        ...update,
      }),
    ),
  );
  return written && z.parse(webhookEndpoint, written.Attributes);
}
