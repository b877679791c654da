import { GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { practice, type Practice } from '../domain/practice.ts';
import type { ApiKey } from '../domain/api-key.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { transactWrite, unlessRefused, updateExpression, type Database } from './database.ts';
import { Fault } from '../domain/fault.ts';

/** A practice by its id, or undefined. Eventually consistent: what it holds may lag a second behind a change of settings. */
export async function getPractice(database: Database<'practices'>, practiceId: string): Promise<Practice | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.practices, Key: { practiceId } }),
  );
  return Item && z.parse(practice, Item);
}

/** Like `getPractice`, for an id that a row of ours holds; throws where it is missing. */
export async function requirePractice(database: Database<'practices'>, practiceId: string): Promise<Practice> {
  const found = await getPractice(database, practiceId);
  if (!found) throw new Fault(`practice ${practiceId} is missing`);
  return found;
}

/** Stores a practice with its first key and, where it has one, its first webhook endpoint: all or nothing. */
export async function createPractice(
  database: Database<'practices' | 'apiKeys' | 'webhookEndpoints'>,
  created: Practice,
  key: ApiKey,
  endpoint: WebhookEndpoint | undefined,
): Promise<void> {
  const { practices, apiKeys, webhookEndpoints } = database.tables;
  const refusals = await transactWrite(database, [
    { Put: { TableName: practices, Item: created, ConditionExpression: 'attribute_not_exists(practiceId)' } },
    { Put: { TableName: apiKeys, Item: key, ConditionExpression: 'attribute_not_exists(keyId)' } },
    ...(endpoint
      ? [
          {
            Put: {
              TableName: webhookEndpoints,
              Item: endpoint,
              ConditionExpression: 'attribute_not_exists(endpointId)',
            },
          },
        ]
      : []),
  ]);
  if (refusals) throw new Fault('a new id was already taken');
}

/** Changes a practice's settings, and forgets those in `remove`. Undefined where there is no such practice. */
export async function updatePractice(
  database: Database<'practices'>,
  practiceId: string,
  settings: { readonly [Name in Exclude<keyof Practice, 'practiceId'>]?: Practice[Name] | undefined },
  remove: readonly 'logoUrl'[] = [],
): Promise<Practice | undefined> {
  const given = Object.values(settings).filter((value) => value !== undefined);
  if (given.length + remove.length === 0) return getPractice(database, practiceId);
  const { ExpressionAttributeValues, ...update } = updateExpression(settings, remove);
  const written = await unlessRefused(
    database.client.send(
      new UpdateCommand({
        TableName: database.tables.practices,
        Key: { practiceId },
        ConditionExpression: 'attribute_exists(practiceId)',
        ReturnValues: 'ALL_NEW',
        ...update,
        // DynamoDB refuses an empty list.
        ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
      }),
    ),
  );
  return written && z.parse(practice, written.Attributes);
}

/** Every practice, for the operator: a scan, which no function has the right to. */
export async function listPractices(database: Database<'practices'>): Promise<Practice[]> {
  const found: Practice[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await database.client.send(
      new ScanCommand({ TableName: database.tables.practices, ExclusiveStartKey }),
    );
    found.push(...(page.Items ?? []).map((item) => z.parse(practice, item)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}
