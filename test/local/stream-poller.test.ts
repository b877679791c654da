import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { AttributeType, StreamViewType, TableV2, type ITable } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, type DynamoEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receive, runTestStack, stopTestStack, type RunningTestStack, type TestStack } from './test-stack.ts';
import { until } from '../support/until.ts';

let stack: RunningTestStack;
/** The names of those that have ended. */
const ended: string[] = [];

const record = (name: string) =>
  `const ids = event.Records.map((r) => r.dynamodb.NewImage.id.S); record({ from: '${name}', ids });`;

function follow({ stack, fn }: TestStack, id: string, body: string, props: Partial<DynamoEventSourceProps>): void {
  const table = new TableV2(stack, `${id}Table`, {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    dynamoStream: StreamViewType.NEW_IMAGE,
  });
  fn(`${id}Reader`, record(id) + body).addEventSource(
    // CDK's types conflict under exactOptionalPropertyTypes.
    new DynamoEventSource(table as ITable, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 10,
      ...props,
    }),
  );
}

beforeAll(async () => {
  stack = await runTestStack(
    (test) => {
      const failures = new SqsDlq(new Queue(test.stack, 'Failures'));
      follow(
        test,
        'Ordered',
        `if (ids.includes('bad') && (globalThis.tries = (globalThis.tries ?? 0) + 1) < 3) throw new Error('no');`,
        {},
      );
      follow(
        test,
        'Reported',
        `const bad = event.Records.find((r) => r.dynamodb.NewImage.id.S === 'bad'); if (bad && (globalThis.tries = (globalThis.tries ?? 0) + 1) < 2) return { batchItemFailures: [{ itemIdentifier: bad.dynamodb.SequenceNumber }] };`,
        { reportBatchItemFailures: true },
      );
      follow(test, 'Bisected', `if (ids.includes('bad')) throw new Error('no');`, {
        bisectBatchOnError: true,
        retryAttempts: 1,
        onFailure: failures,
      });
      follow(test, 'Filtered', ``, {
        filters: [
          FilterCriteria.filter({ eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['wanted'] } } } }),
        ],
      });
      follow(test, 'Durable', `record({ from: 'whole', event });`, {});
    },
    { streamRetryDelay: 10, onInvocation: ({ target }) => ended.push(target.name) },
  );
});
afterAll(() => stopTestStack(stack));

const batches = (from: string): string[][] =>
  stack
    .recorded()
    .filter((entry) => entry.from === from)
    .map(({ ids }) => ids);

/** Puts all of them at the same time, so that one read of the stream has them all. */
async function put(table: string, ...ids: readonly string[]): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: stack.environment['AWS_ENDPOINT_URL_DYNAMODB']!,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const TransactItems = ids.map((id) => ({
    Put: {
      TableName: stack.resourceName(table),
      Item: { id: { S: id }, kind: { S: id.startsWith('x') ? 'wanted' : 'other' }, bytes: { B: Buffer.from('b') } },
    },
  }));
  await client.send(new TransactWriteItemsCommand({ TransactItems }));
}

it.concurrent('retries a failed batch before any later record of the shard', async () => {
  await put('OrderedTable', 'a', 'bad', 'c');
  await until(() => batches('Ordered').length > 0);
  await put('OrderedTable', 'd');
  await until(() => batches('Ordered').flat().includes('d'));
  const failing = batches('Ordered').slice(0, 3);
  expect(new Set(failing.map(String)).size).toBe(1);
  expect(failing[0]).toEqual(['a', 'bad', 'c']);
  expect(batches('Ordered').slice(3).flat()).toEqual(['d']);
});

it.concurrent('continues from the lowest record that the function reports', async () => {
  await put('ReportedTable', 'a', 'bad', 'c');
  await until(() => batches('Reported').length === 2);
  expect(batches('Reported')).toEqual([
    ['a', 'bad', 'c'],
    ['bad', 'c'],
  ]);
});

it.concurrent('halves a failing batch down to the bad record, retries it as often as configured and reports its position', async () => {
  await put('BisectedTable', 'a', 'b', 'bad', 'd');
  const [failure] = await receive(stack, 'Failures');
  const message = JSON.parse(failure?.Body ?? '{}');
  expect(message).toMatchObject({
    version: '1.0',
    requestContext: {
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: 2,
      functionArn: stack.functionOf('BisectedReader').arn,
    },
    responseContext: { functionError: 'Unhandled' },
    DDBStreamBatchInfo: { batchSize: 1 },
  });
  expect(message.DDBStreamBatchInfo.startSequenceNumber).toBe(message.DDBStreamBatchInfo.endSequenceNumber);
  await until(() => batches('Bisected').flat().includes('d') && batches('Bisected').at(-1)?.join() === 'd');
  expect(batches('Bisected').map(String)).toEqual(['a,b,bad,d', 'a,b', 'bad,d', 'bad', 'bad', 'd']);
});

it.concurrent('delivers only the records that a filter matches', async () => {
  await put('FilteredTable', 'w', 'x', 'y');
  await put('FilteredTable', 'x');
  await put('FilteredTable', 'x-last');
  await until(() => batches('Filtered').flat().includes('x-last'));
  expect(batches('Filtered').flat()).toEqual(['x', 'x-last']);
});

it("continues at its position after a restart, with records in Lambda's format", async () => {
  await put('DurableTable', 'before');
  // A reader that has not ended would read the record again.
  await until(() => ended.includes(stack.resourceName('DurableReader')));
  stack = await stack.restart();
  await put('DurableTable', 'after');
  await until(() => batches('Durable').flat().includes('after'));
  expect(batches('Durable').flat()).toEqual(['before', 'after']);
  const [first] = stack.recorded().find((entry) => entry.from === 'whole').event.Records;
  expect(first).toMatchObject({
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    dynamodb: { Keys: { id: { S: 'before' } }, NewImage: { bytes: { B: 'Yg==' } }, StreamViewType: 'NEW_IMAGE' },
  });
  expect(Math.abs(first.dynamodb.ApproximateCreationDateTime - Date.now() / 1000)).toBeLessThan(60);
});
