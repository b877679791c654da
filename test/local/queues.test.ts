import { ChangeMessageVisibilityCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { Duration } from 'aws-cdk-lib';
import { SqsEventSource, type SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, expect, it, describe } from 'vitest';
import { receive, runTestStack, stopTestStack, type RunningTestStack, type TestStack } from './test-stack.ts';
import { until } from '../support/until.ts';

describe('the poller of a queue', () => {
  let stack: RunningTestStack;

  /** A message comes back only when the test lets it: see `fail`. */
  function worker({ stack, fn }: TestStack, id: string, body: string, props: SqsEventSourceProps): void {
    const deadLetters = new Queue(stack, `${id}Dead`);
    const queue = new Queue(stack, `${id}Queue`, {
      visibilityTimeout: Duration.hours(1),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 2 },
    });
    fn(`${id}Worker`, body).addEventSource(new SqsEventSource(queue, props));
  }

  beforeAll(async () => {
    stack = await runTestStack((test) => {
      const failBad = `
      const bad = event.Records.find((r) => r.body === 'bad');
      record({ from: 'Partial', failed: bad?.receiptHandle, bodies: event.Records.map((r) => r.body), attributes: event.Records[0].attributes, arn: event.Records[0].eventSourceARN });
      return { batchItemFailures: bad ? [{ itemIdentifier: bad.messageId }] : [] };`;
      const failed = 'failed: event.Records[0].receiptHandle';
      worker(test, 'Partial', failBad, { reportBatchItemFailures: true, maxConcurrency: 2 });
      worker(test, 'Whole', `record({ from: 'Whole', ${failed} }); throw new Error('no');`, {});
      worker(
        test,
        'Unread',
        `record({ from: 'Unread', ${failed} }); return { batchItemFailures: [{ itemIdentifier: 'unknown' }] };`,
        { reportBatchItemFailures: true },
      );
    });
  });
  afterAll(() => stopTestStack(stack));

  const recorded = (from: string) => stack.recorded().filter((entry) => entry.from === from);
  const send = (queue: string, body: string) =>
    stack.queues.send(`arn:aws:sqs:us-east-1:000000000000:${stack.resourceName(queue)}`, body);
  const url = (queue: string) => stack.queues.url(stack.resourceName(queue));

  async function counts(queue: string): Promise<number> {
    const { Attributes } = await stack.queues.client.send(
      new GetQueueAttributesCommand({ QueueUrl: url(queue), AttributeNames: ['All'] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages) + Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
  }

  /** After each of two failures, shortens the message's visibility timeout. fauxqs cannot store zero seconds. */
  async function fail(worker: string): Promise<void> {
    const failures = () => recorded(worker).flatMap(({ failed }) => failed ?? []);
    for (const count of [1, 2]) {
      await until(() => failures().length === count);
      await stack.queues.client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: url(`${worker}Queue`),
          ReceiptHandle: failures().at(-1),
          VisibilityTimeout: 1,
        }),
      );
    }
  }

  const deadLetters = async (queue: string) => (await receive(stack, queue)).map(({ Body }) => Body);

  it.concurrent('redelivers only the messages that a function reports, and then moves them to the dead-letter queue', async () => {
    await Promise.all(['good', 'bad', 'fine'].map((body) => send('PartialQueue', body)));
    await fail('Partial');
    expect(await deadLetters('PartialDead')).toEqual(['bad']);
    const seen = recorded('Partial').flatMap(({ bodies }) => bodies);
    expect(seen.filter((body) => body === 'bad')).toHaveLength(2);
    expect(seen.filter((body) => body === 'good')).toHaveLength(1);
    expect(recorded('Partial')[0].attributes.ApproximateReceiveCount).toBe('1');
    expect(recorded('Partial')[0].arn).toBe(`arn:aws:sqs:us-east-1:000000000000:${stack.resourceName('PartialQueue')}`);
    await until(async () => (await counts('PartialQueue')) === 0);
  });

  it.concurrent('redelivers the whole batch if the function throws', async () => {
    await send('WholeQueue', 'one');
    await fail('Whole');
    expect(await deadLetters('WholeDead')).toEqual(['one']);
    expect(recorded('Whole')).toHaveLength(2);
  });

  it.concurrent('redelivers the whole batch if the function reports an unknown message', async () => {
    await send('UnreadQueue', 'one');
    await fail('Unread');
    expect(await deadLetters('UnreadDead')).toEqual(['one']);
  });
});
