import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { evidence, type Evidence } from '../domain/evidence.ts';
import type { Database, TransactItem } from './database.ts';

/** The part of a transaction that writes the evidence, which must not exist yet. */
export function putEvidence(database: Database<'authorizations'>, row: Evidence): TransactItem {
  return {
    Put: {
      TableName: database.tables.authorizations,
      Item: row,
      ConditionExpression: 'attribute_not_exists(sessionId)',
    },
  };
}

export async function getEvidence(
  database: Database<'authorizations'>,
  sessionId: string,
): Promise<Evidence | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.authorizations, Key: { sessionId }, ConsistentRead: true }),
  );
  return Item && z.parse(evidence, Item);
}
