import type { Database } from '../database.ts';
import { itemOf } from '../dynamodb.ts';

/** Writes to the evidence that its table's policy should refuse. If it does not, their condition does: nothing is changed. */
export function forbiddenWrites({ call, tables }: Database<'authorizations'>): Record<string, () => Promise<unknown>> {
  const Key = itemOf({ sessionId: 'ses_of_no_patient' });
  // There is no such row.
  const onlyIfFound = { TableName: tables.authorizations, ConditionExpression: 'attribute_exists(sessionId)' };
  return {
    PutItem: () => call('PutItem', { ...onlyIfFound, Item: Key }),
    UpdateItem: () => call('UpdateItem', { ...onlyIfFound, Key, UpdateExpression: 'REMOVE amountCents' }),
    DeleteItem: () => call('DeleteItem', { ...onlyIfFound, Key }),
    'PutItem in a transaction': () =>
      call('TransactWriteItems', { TransactItems: [{ Put: { ...onlyIfFound, Item: Key } }] }),
  };
}
