import type { Database } from '../database.ts';
import { itemOf } from '../dynamodb.ts';
import { nameOf } from '../writes.ts';

/** Writes to the evidence that its table's policy should refuse. If it does not, their condition does: nothing is changed. */
export function forbiddenWrites(database: Database): Record<string, () => Promise<unknown>> {
  const Key = itemOf({ sessionId: 'ses_of_no_patient' });
  // There is no such row.
  const onlyIfFound = {
    TableName: nameOf(database, 'authorizations'),
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
