import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { apiKey, type ApiKey } from '../domain/api-key.ts';
import type { Database } from './database.ts';

/** A key by its id, read strongly: a revocation counts from the next request on. */
export async function getApiKey(database: Database<'apiKeys'>, keyId: string): Promise<ApiKey | undefined> {
  const { Item } = await database.client.send(new GetCommand({ TableName: database.tables.apiKeys, Key: { keyId }, ConsistentRead: true }));
  return Item && z.parse(apiKey, Item);
}

export async function createApiKey(database: Database<'apiKeys'>, created: ApiKey): Promise<void> {
  await database.client.send(
    new PutCommand({ TableName: database.tables.apiKeys, Item: created, ConditionExpression: 'attribute_not_exists(keyId)' }),
  );
}

/** Revokes a practice's key at `revokedAt`; an earlier revocation keeps its time. Undefined where the practice has no such key. */
export async function revokeApiKey(database: Database<'apiKeys'>, practiceId: string, keyId: string, revokedAt: string): Promise<ApiKey | undefined> {
  try {
    const { Attributes } = await database.client.send(
      new UpdateCommand({
        TableName: database.tables.apiKeys,
        Key: { keyId },
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :revokedAt)',
        ConditionExpression: 'practiceId = :practiceId',
        ExpressionAttributeValues: { ':revokedAt': revokedAt, ':practiceId': practiceId },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return z.parse(apiKey, Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
