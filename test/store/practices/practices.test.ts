import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { getExistingPractice, getPractice } from '../../../functions/store/practices/practices.ts';
import { aPractice } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';
import { aroundEachCall } from '../../support/answered-client.ts';

const { database } = await startTestTables();

/** Simulates the moment after a write, when only strongly consistent reads find the row. */
function lagging() {
  const reads: unknown[] = [];
  const behind = aroundEachCall(database, async ({ input }, perform) => {
    const isConsistent = 'ConsistentRead' in input && input.ConsistentRead;
    reads.push(isConsistent);
    return isConsistent ? perform() : {};
  });
  return { reads, database: behind };
}

it('a practice that the nearest copy does not have yet is read again, strongly consistent', async () => {
  const practice = aPractice({ practiceId: 'prc_new' });
  await database.documents.send(new PutCommand({ TableName: database.tables.practices, Item: practice }));
  const { database: behind, reads } = lagging();
  expect(await getExistingPractice(behind, 'prc_new')).toEqual(practice);
  expect(reads).toEqual([false, true]);
  expect(await getPractice(behind, 'prc_unknown')).toBeUndefined();
});
