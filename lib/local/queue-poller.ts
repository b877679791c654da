import { setTimeout as pause } from 'node:timers/promises';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type Message } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { region } from './account.ts';
import { failedItems, recordFilter, type EventSourceMapping, type Poller } from './event-source-mapping.ts';
import type { LocalFunction } from './functions.ts';
import { parseJson } from './json.ts';
import type { Queues } from './queues.ts';

const maximumReceived = 10;
const defaultConcurrency = 5;

/** Failed messages stay until their visibility timeout and count toward redrive. */
export function startQueuePoller(
  mapping: EventSourceMapping,
  queues: Queues,
  target: LocalFunction,
  warn: (line: string) => void,
): Poller {
  const {
    EventSourceArn,
    BatchSize = maximumReceived,
    MaximumBatchingWindowInSeconds = 0,
    ScalingConfig,
  } = mapping.properties;
  const concurrency = ScalingConfig?.MaximumConcurrency ?? defaultConcurrency;
  const matches = recordFilter(mapping);
  const QueueUrl = queues.url(EventSourceArn);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  async function receive(most: number, waitSeconds: number): Promise<Message[]> {
    const answer = await queues.client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(most, maximumReceived),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
      { abortSignal: stopping.signal },
    );
    return answer.Messages ?? [];
  }

  async function receiveBatch(): Promise<Message[]> {
    const batch = await receive(BatchSize, 20);
    const windowEnd = Date.now() + MaximumBatchingWindowInSeconds * 1000;
    while (batch.length > 0 && batch.length < BatchSize && Date.now() < windowEnd && !stopping.signal.aborted) {
      const more = await receive(BatchSize - batch.length, Math.min(1, Math.ceil((windowEnd - Date.now()) / 1000)));
      batch.push(...more);
    }
    return batch;
  }

  async function handle(messages: readonly Message[]): Promise<void> {
    const records = messages.map((message) => recordOf(message, EventSourceArn));
    const wanted = records.filter((record) => matches({ ...record, body: parseJson(record.body) ?? record.body }));
    let failed: ReadonlySet<string> | 'all' = new Set();
    if (wanted.length > 0) {
      const result = await target.invoke({ Records: wanted });
      failed = failedItems(
        mapping,
        result,
        wanted.map(({ messageId }) => messageId),
      );
    }
    const done = records.filter(
      (record) => !wanted.includes(record) || (failed !== 'all' && !failed.has(record.messageId)),
    );
    await remove(done);
  }

  async function remove(records: readonly SQSRecord[]): Promise<void> {
    for (let start = 0; start < records.length; start += maximumReceived) {
      const Entries = records
        .slice(start, start + maximumReceived)
        .map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
      await queues.client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
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
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(
        ([name, { StringValue, BinaryValue, DataType = 'String' }]) => [
          name,
          {
            ...(StringValue !== undefined && { stringValue: StringValue }),
            ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
            stringListValues: [],
            binaryListValues: [],
            dataType: DataType,
          },
        ],
      ),
    ),
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: region,
  };
}
