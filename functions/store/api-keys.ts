import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { apiKey, type ApiKey } from '../domain/api-key.ts';
import { unlessRefused, type Database } from './database.ts';

/** A key by its id, read strongly: a revocation counts from the next request on. */
export async function getApiKey(database: Database<'apiKeys'>, keyId: string): Promise<ApiKey | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.apiKeys, Key: { keyId }, ConsistentRead: true }),
  );
  return Item && z.parse(apiKey, Item);
}

export async function createApiKey(database: Database<'apiKeys'>, created: ApiKey): Promise<void> {
  await database.client.send(
    new PutCommand({
      TableName: database.tables.apiKeys,
      Item: created,
      ConditionExpression: 'attribute_not_exists(keyId)',
    }),
  );
}

/** All keys of a practice, also those that have ended. */
export async function listApiKeys(database: Database<'apiKeys'>, practiceId: string): Promise<ApiKey[]> {
  const found: ApiKey[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await database.client.send(
      new QueryCommand({
        TableName: database.tables.apiKeys,
        IndexName: 'byPractice',
        KeyConditionExpression: 'practiceId = :practiceId',
        ExpressionAttributeValues: { ':practiceId': practiceId },
        ExclusiveStartKey,
      }),
    );
    found.push(...(page.Items ?? []).map((item) => z.parse(apiKey, item)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}

/** Notes that a key was used on this day (`2026-11-20`, UTC), once a day. */
export async function recordKeyUse(database: Database<'apiKeys'>, keyId: string, day: string): Promise<void> {
  await updateKey(database, keyId, {
    UpdateExpression: 'SET lastUsedOn = :day',
    ConditionExpression: 'attribute_exists(keyId) AND (attribute_not_exists(lastUsedOn) OR lastUsedOn < :day)',
    ExpressionAttributeValues: { ':day': day },
  });
}

/** Lets a practice's key end at `expiresAt`, or earlier where it ends earlier already. Undefined where the practice has no such live key. */
export async function endApiKey(
  database: Database<'apiKeys'>,
  practiceId: string,
  keyId: string,
  expiresAt: string,
): Promise<ApiKey | undefined> {
  const ended = await updateKey(database, keyId, {
    UpdateExpression: 'SET expiresAt = :expiresAt',
    ConditionExpression:
      'practiceId = :practiceId AND attribute_not_exists(revokedAt) AND (attribute_not_exists(expiresAt) OR expiresAt > :expiresAt)',
    ExpressionAttributeValues: { ':expiresAt': expiresAt, ':practiceId': practiceId },
  });
  if (ended) return ended;
  const standing = await getApiKey(database, keyId);
  return standing?.practiceId === practiceId && standing.revokedAt === undefined ? standing : undefined;
}

/** Revokes a practice's key at `revokedAt`; an earlier revocation keeps its time. Undefined where the practice has no such key. */
export async function revokeApiKey(
  database: Database<'apiKeys'>,
  practiceId: string,
  keyId: string,
  revokedAt: string,
): Promise<ApiKey | undefined> {
  return updateKey(database, keyId, {
    UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :revokedAt)',
    ConditionExpression: 'practiceId = :practiceId',
    ExpressionAttributeValues: { ':revokedAt': revokedAt, ':practiceId': practiceId },
  });
}

/** Runs a conditional update; undefined where it was refused. */
async function updateKey(
  database: Database<'apiKeys'>,
  keyId: string,
  update: { UpdateExpression: string; ConditionExpression: string; ExpressionAttributeValues: Record<string, unknown> },
): Promise<ApiKey | undefined> {
  const written = await unlessRefused(
    database.client.send(
      new UpdateCommand({ TableName: database.tables.apiKeys, Key: { keyId }, ReturnValues: 'ALL_NEW', ...update }),
    ),
  );
  return written && z.parse(apiKey, written.Attributes);
}
