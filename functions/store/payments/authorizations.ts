import { evidence, type Evidence } from '../../domain/payments/evidence.ts';
import type { Database } from '../database.ts';
import { get, getAll } from '../rows.ts';
import { putNew, type Part, nameOf } from '../writes.ts';
import { itemOf } from '../dynamodb.ts';

export function putEvidence(database: Database, row: Evidence): Part {
  return putNew(database, 'authorizations', row, 'sessionId');
}

export async function getEvidence(database: Database, sessionId: string) {
  return get(database, 'authorizations', { sessionId }, evidence);
}

/** The evidence of the sessions that have any, in no particular order. */
export async function evidenceOf(database: Database, sessionIds: readonly string[]) {
  const keys = sessionIds.map((sessionId) => ({ sessionId }));
  return getAll(database, 'authorizations', keys, evidence);
}

/** Writes to the evidence that its table's policy should refuse. If it does not, their condition fails: nothing changes. */
export function forbiddenWrites(database: Database): Record<string, () => Promise<unknown>> {
  const Key = itemOf({ sessionId: 'ses_of_no_patient' });
  // There is no such row.
  const onlyIfFound = {
    TableName: nameOf('authorizations', database.tables),
    ConditionExpression: 'attribute_exists(sessionId)',
  };
  return {
    PutItem: () => database.call('PutItem', { ...onlyIfFound, Item: Key }),
    UpdateItem: () => database.call('UpdateItem', { ...onlyIfFound, Key, UpdateExpression: 'REMOVE amountCents' }),
    DeleteItem: () => database.call('DeleteItem', { ...onlyIfFound, Key }),
    'PutItem in a transaction': () =>
      database.call('TransactWriteItems', { TransactItems: [{ Put: { ...onlyIfFound, Item: Key } }] }),
  };
}
