import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { platformAccount } from '../../functions/domain/payments/booking.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { proveWriteOnce } from '../../functions/payments/proof.ts';
import { getEvidence } from '../../functions/store/payments/authorizations.ts';
import { saveReconciliation } from '../../functions/store/payments/bookings.ts';
import { awsConfig } from '../support/answered-client.ts';
import { evidenceIn } from '../support/evidence-bucket.ts';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';

let service: LivePractice;
let database: TestDatabase;
let client: S3Client;
let archive: ReturnType<typeof evidenceIn>;
let sessionId: string;
onLiveStack.beforeAll(async ({ ownLive }) => {
  service = ownLive;
  database = databaseOf(service.stack);
  client = new S3Client({ ...awsConfig(service.stack.environment['AWS_ENDPOINT_URL_S3'] ?? ''), forcePathStyle: true });
  const { EvidenceArchiveBucket: bucket = '' } = service.stack.outputs;
  archive = evidenceIn(client, bucket, `evidence/${service.practice.practiceId}/`);
  ({ sessionId } = await service.payAt('success'));
});
afterAll(() => client.destroy());

const keyOf = (sessionId: string) => `evidence/${service.practice.practiceId}/${sessionId}.json`;

/** Pretends that the patient authorized it twenty minutes ago: younger events are not checked yet. */
async function makeOlder(sessionId: string) {
  const eventId = sessionEventId(sessionId, 1);
  await database.documents.send(
    new UpdateCommand({
      TableName: database.tables.events,
      Key: { eventId },
      UpdateExpression: 'SET #position = :position',
      ExpressionAttributeNames: { '#position': 'position' },
      ExpressionAttributeValues: { ':position': `${toIso(Date.now() - 20 * minute)}#${eventId}` },
    }),
  );
}

/** The keys named after the session or one of its events. */
const keysAbout = async (sessionId: string) =>
  (await archive.keys()).filter((key) => key.includes(sessionId.replace('ses_', '')));

test("the archive has a copy of a patient's authorization, equal to the row", async () => {
  await expect.poll(archive.keys).toContain(keyOf(sessionId));
  expect(await archive.read(keyOf(sessionId))).toEqual(await getEvidence(database, sessionId));
  await service.receiver.waitFor('session.payment.succeeded', sessionId);
  expect(await keysAbout(sessionId)).toEqual([keyOf(sessionId)]);
});

test.each([
  ['put', (TableName: string, Item: object) => new PutCommand({ TableName, Item: { ...Item } })],
  [
    'delete',
    (TableName: string, { sessionId }: { sessionId: string }) => new DeleteCommand({ TableName, Key: { sessionId } }),
  ],
  [
    'update',
    (TableName: string, { sessionId }: { sessionId: string }) =>
      new UpdateCommand({
        TableName,
        Key: { sessionId },
        UpdateExpression: 'SET amountCents = :zero',
        ExpressionAttributeValues: { ':zero': 0 },
      }),
  ],
  [
    'put in a transaction',
    (TableName: string, evidence: object) =>
      new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName,
              Item: { ...evidence, sessionId: 'ses_another' },
              ConditionExpression: 'attribute_not_exists(sessionId)',
            },
          },
        ],
      }),
  ],
  [
    'batch',
    (TableName: string, { sessionId }: { sessionId: string }) =>
      new BatchWriteCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: { sessionId } } }] } }),
  ],
])('nobody can %s a row of evidence', async (_, commandOf) => {
  const evidence = await getEvidence(database, sessionId);
  if (!evidence) throw new Error('no evidence');
  const command = commandOf(database.tables.authorizations, evidence) as PutCommand;
  await expect(database.documents.send(command)).rejects.toThrow('on DataAuthorizations');
  expect(await getEvidence(database, sessionId)).toEqual(evidence);
});

test('the command that proves it is refused every write to the table', async () => {
  const proven = await proveWriteOnce({ ...service.operated, putLockedCopy: undefined }, Date.now());
  expect(proven).toEqual({ PutItem: true, UpdateItem: true, DeleteItem: true, 'PutItem in a transaction': true });
});

test('a payment does not wait for its copy, and the hourly check makes a missing one', async () => {
  service.disturb(({ caller }) => (caller.startsWith('EvidenceArchiveCopy') ? 'throttled' : undefined));
  onTestFinished(() => service.disturb(() => undefined));
  const paid = await service.payAt('success');
  await service.receiver.waitFor('session.payment.succeeded', paid.sessionId);
  expect(await archive.keys()).not.toContain(keyOf(paid.sessionId));

  await makeOlder(paid.sessionId);
  // Another file's run of the hourly check may be further along.
  await saveReconciliation(database, { account: platformAccount, evidence: { from: toIso(Date.now() - 30 * minute) } });
  await service.stack.fireSchedules();
  await expect.poll(archive.keys).toContain(keyOf(paid.sessionId));
  expect(await archive.read(keyOf(paid.sessionId))).toEqual(await getEvidence(database, paid.sessionId));
});
