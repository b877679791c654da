import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { practice, type Practice } from '../domain/practice.ts';
import type { Database } from './database.ts';

/** A practice by its id, or undefined. Eventually consistent: what it holds may lag a second behind a change of settings. */
export async function getPractice(database: Database<'practices'>, practiceId: string): Promise<Practice | undefined> {
  const { Item } = await database.client.send(new GetCommand({ TableName: database.tables.practices, Key: { practiceId } }));
  return Item && z.parse(practice, Item);
}

/** Like `getPractice`, for an id that a row of ours holds; throws where it is missing. */
export async function requirePractice(database: Database<'practices'>, practiceId: string): Promise<Practice> {
  const found = await getPractice(database, practiceId);
  if (!found) throw new Error(`practice ${practiceId} is missing`);
  return found;
}

export async function createPractice(database: Database<'practices'>, created: Practice): Promise<void> {
  await database.client.send(
    new PutCommand({ TableName: database.tables.practices, Item: created, ConditionExpression: 'attribute_not_exists(practiceId)' }),
  );
}

/** Every practice, for the operator: a scan, which no function has the right to. */
export async function listPractices(database: Database<'practices'>): Promise<Practice[]> {
  const found: Practice[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await database.client.send(new ScanCommand({ TableName: database.tables.practices, ExclusiveStartKey }));
    found.push(...(page.Items ?? []).map((item) => z.parse(practice, item)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}
