import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { serverHealth } from '../domain/endpoint-health.ts';
import { toIso } from '../domain/time.ts';
import { webhookEndpoint, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { unlessRefused, updateExpression, updateUnlessRefused, type Database } from './database.ts';

type Endpoints = Database<'webhookEndpoints'>;

export type EndpointKey = Pick<WebhookEndpoint, 'practiceId' | 'endpointId'>;

export async function getWebhookEndpoint(
  database: Endpoints,
  practiceId: string,
  endpointId: string,
): Promise<WebhookEndpoint | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({
      TableName: database.tables.webhookEndpoints,
      Key: { practiceId, endpointId },
      ConsistentRead: true,
    }),
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
    new PutCommand({
      TableName: database.tables.webhookEndpoints,
      Item: created,
      ConditionExpression: 'attribute_not_exists(endpointId)',
    }),
  );
}

/**
 * Turns an endpoint off because of its server, unless it has another URL by now: 410 Gone, or no success for days. `asRead` is the endpoint as it was when that
 * was decided: one that has worked again since then stays on.
 */
export async function disableWebhookEndpoint(
  database: Endpoints,
  asRead: WebhookEndpoint,
  reason: 'gone' | 'failing',
  now: number,
): Promise<void> {
  const { url, failingSince } = asRead;
  await updateEndpoint(database, asRead, {
    UpdateExpression: 'SET #status = :disabled, disabledReason = :reason, disabledAt = :now',
    ConditionExpression: `#url = :url AND #status = :enabled${reason === 'failing' ? ' AND failingSince = :failingSince' : ''}`,
    ExpressionAttributeNames: { '#status': 'status', '#url': 'url' },
    ExpressionAttributeValues: {
      ':disabled': 'disabled',
      ':enabled': 'enabled',
      ':reason': reason,
      ':now': toIso(now),
      ':url': url,
      ...(reason === 'failing' && { ':failingSince': failingSince }),
    },
  });
}

/**
 * Gives an endpoint a new signing secret; the one it had goes on signing beside it until `previousSecretExpiresAt`. Undefined where the practice
 * has no such endpoint. Written twice with the same secret, as the SDK does when an answer is lost, it changes nothing more.
 */
export async function rotateSigningSecret(
  database: Endpoints,
  practiceId: string,
  endpointId: string,
  change: { signingSecret: string; previousSecretExpiresAt: string },
): Promise<WebhookEndpoint | undefined> {
  const { row } = await updateUnlessRefused(database, {
    TableName: database.tables.webhookEndpoints,
    Key: { practiceId, endpointId },
    UpdateExpression:
      'SET previousSigningSecret = signingSecret, signingSecret = :signingSecret, previousSecretExpiresAt = :expiresAt',
    ConditionExpression: 'attribute_exists(endpointId) AND signingSecret <> :signingSecret',
    ExpressionAttributeValues: { ':signingSecret': change.signingSecret, ':expiresAt': change.previousSecretExpiresAt },
  });
  const endpoint = row === undefined ? undefined : z.parse(webhookEndpoint, row);
  return endpoint?.signingSecret === change.signingSecret ? endpoint : undefined;
}

/** Turns an endpoint off by its owner's wish, unless it is off already. Undefined where the practice has no such endpoint that is on. */
export async function turnWebhookOff(
  database: Endpoints,
  key: EndpointKey,
  now: number,
): Promise<WebhookEndpoint | undefined> {
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
    UpdateExpression: `SET #status = :enabled REMOVE disabledReason, disabledAt, ${[...serverHealth, 'missedSince'].join(', ')}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':enabled': 'enabled' },
    ReturnValues: 'ALL_OLD',
  });
}

/** What its owner may change of an endpoint; what is absent stays. */
export interface EndpointChange {
  readonly url?: string;
  readonly eventTypes?: readonly string[] | 'all';
  readonly retriesAllFailures?: boolean;
}

/**
 * Changes an endpoint. With a URL, all that is remembered of its old server is forgotten in the same write; but one that is off keeps since when it
 * has missed webhooks, as the replay that is offered when it is turned on begins there. Undefined where the practice has no such endpoint.
 */
export async function changeWebhookEndpoint(
  database: Endpoints,
  key: EndpointKey,
  change: EndpointChange,
): Promise<WebhookEndpoint | undefined> {
  if (change.url === undefined) return updateEndpoint(database, key, endpointUpdate(key, change, []));
  const moved = await updateEndpoint(
    database,
    key,
    endpointUpdate(key, change, [...serverHealth, 'missedSince'], 'enabled'),
  );
  // One that is turned on in between has its record cleaned by that.
  return moved ?? updateEndpoint(database, key, endpointUpdate(key, change, serverHealth));
}

function endpointUpdate(
  { endpointId }: EndpointKey,
  { url, eventTypes, retriesAllFailures }: EndpointChange,
  forgotten: readonly string[],
  status?: WebhookEndpoint['status'],
) {
  const wantsAll = eventTypes === 'all';
  const update = updateExpression({ url, retriesAllFailures, ...(!wantsAll && { eventTypes }) }, [
    ...(wantsAll ? ['eventTypes'] : []),
    ...forgotten,
  ]);
  return {
    UpdateExpression: update.UpdateExpression,
    ConditionExpression: `endpointId = :endpointId${status ? ' AND #status = :status' : ''}`,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...(status && { '#status': 'status' }) },
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':endpointId': endpointId,
      ...(status && { ':status': status }),
    },
  };
}

/** Deletes an endpoint, if it is there. What is pending for it ends as `skipped` when its time comes. */
export async function deleteWebhookEndpoint(
  database: Endpoints,
  { practiceId, endpointId }: EndpointKey,
): Promise<void> {
  await database.client.send(
    new DeleteCommand({ TableName: database.tables.webhookEndpoints, Key: { practiceId, endpointId } }),
  );
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
