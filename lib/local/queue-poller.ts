import { setTimeout as pause } from 'node:timers/promises';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type Message } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { region } from './account.ts';
import { failedItems, type EventSourceMapping, type Poller } from './event-source-mapping.ts';
import type { LocalFunction } from './functions.ts';
import type { Queues } from './queues.ts';
import { SetupError } from './setup-error.ts';

const maximumReceived = 10;
const defaultConcurrency = 5;

/** Failed messages stay until their visibility timeout and count toward redrive. */
export function startQueuePoller(
  mapping: EventSourceMapping,
  queues: Queues,
  target: LocalFunction,
  warn: (line: string) => void,
): Poller {
  const { EventSourceArn, BatchSize = maximumReceived, FilterCriteria, ScalingConfig } = mapping.properties;
  if (FilterCriteria !== undefined || BatchSize > maximumReceived)
    throw new SetupError(
      `${mapping.logicalId}: the local stack neither filters messages nor collects more than ${maximumReceived}.`,
    );
  const concurrency = ScalingConfig?.MaximumConcurrency ?? defaultConcurrency;
  const QueueUrl = queues.url(EventSourceArn);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  async function receiveBatch(): Promise<Message[]> {
    const answer = await queues.client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: BatchSize,
        WaitTimeSeconds: 20,
        MessageSystemAttributeNames: ['All'],
      }),
      { abortSignal: stopping.signal },
    );
    return answer.Messages ?? [];
  }

  async function handle(messages: readonly Message[]): Promise<void> {
    const records = messages.map((message) => recordOf(message, EventSourceArn));
    const result = await target.invoke({ Records: records });
    const failed = failedItems(
      mapping,
      result,
      records.map(({ messageId }) => messageId),
    );
    if (failed === 'all') return;
    const done = records.filter(({ messageId }) => !failed.has(messageId));
    const Entries = done.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    if (Entries.length > 0) await queues.client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const messages = await receiveBatch();
        if (messages.length === 0) continue;
        const run = handle(messages)
          .catch(() =>
            warn(`${mapping.logicalId}: a batch could not be deleted from its queue and will be delivered again.`),
          )
          .finally(() => running.delete(run));
        running.add(run);
        if (running.size >= concurrency) await Promise.race(running);
      } catch {
        if (stopping.signal.aborted) return;
        warn(`${mapping.logicalId}: its queue does not respond; retrying.`);
        await pause(1000);
      }
    }
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(running);
    },
  };
}

function recordOf(message: Message, eventSourceARN: string): SQSRecord {
  const { MessageId = '', ReceiptHandle = '', Body = '', MD5OfBody = '', Attributes = {} } = message;
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
      ...Object.fromEntries(Object.entries(Attributes).filter(([, value]) => value !== undefined)),
    },
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: region,
  };
}
