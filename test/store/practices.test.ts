import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { getExistingPractice, getPractice } from '../../functions/store/practices.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';

const { database } = await startTestTables();

/** Simulates the moment after a write, when only strongly consistent reads find the row. */
function lagging() {
  const reads: unknown[] = [];
  const send = (command: GetCommand) => {
    reads.push(command.input.ConsistentRead);
    return command.input.ConsistentRead === true ? database.client.send(command) : Promise.resolve({});
  };
  return { reads, database: { ...database, client: { send } as unknown as DynamoDBDocumentClient } };
}

it('a practice that the nearest copy does not have yet is read again, strongly consistent', async () => {
  const practice = aPractice({ practiceId: 'prc_new' });
  await database.client.send(new PutCommand({ TableName: database.tables.practices, Item: practice }));
  const { database: behind, reads } = lagging();
  expect(await getExistingPractice(behind, 'prc_new')).toEqual(practice);
  expect(reads).toEqual([false, true]);
  expect(await getPractice(behind, 'prc_unknown')).toBeUndefined();
});
