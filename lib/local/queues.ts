import {
  ChangeMessageVisibilityCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { accountId, credentials, nameInArn, region } from './account.ts';
import { createForeignQueues } from './foreign-queues.ts';
import type { Fauxqs } from './fauxqs.ts';
import { attributesOf, type QueueResource } from './queue-properties.ts';

export interface Queues {
  readonly client: SQSClient;
  url(queueArn: string): string;
  send(queueArn: string, body: string): Promise<void>;
  create(queues: readonly QueueResource[], fresh?: boolean): Promise<void>;
}

/** `foreign` is the endpoint of another SQS on this machine. */
export function openQueues({ origin, server }: Fauxqs, foreign?: string): Queues {
  const client = new SQSClient({ endpoint: foreign ?? origin, region, credentials });
  let foreignUrls: ReadonlyMap<string, string> = new Map();
  const url = (queueArn: string) => {
    const name = nameInArn(queueArn);
    return foreignUrls.get(name) ?? `${origin}/${accountId}/${name}`;
  };

  return {
    client,
    url,
    async send(queueArn, body) {
      await client.send(new SendMessageCommand({ QueueUrl: url(queueArn), MessageBody: body }));
    },
    async create(queues, fresh = false) {
      if (foreign !== undefined) {
        foreignUrls = await createForeignQueues(client, queues, fresh);
        return;
      }
      await Promise.all(queues.map((queue) => createQueue(server, client, queue, url(queue.name))));
    },
  };
}

async function createQueue(
  server: Fauxqs['server'],
  client: SQSClient,
  queue: QueueResource,
  url: string,
): Promise<void> {
  const attributes = attributesOf(queue.properties);
  const existing = server.inspectQueue(queue.name);
  if (existing === undefined) {
    server.createQueue(queue.name, { attributes });
    return;
  }
  await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { RedrivePolicy: '', ...attributes } }));
  // Their consumers ended with the previous run. fauxqs cannot store zero seconds.
  await Promise.all(
    existing.messages.inflight.map(({ receiptHandle }) =>
      client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: receiptHandle, VisibilityTimeout: 1 }),
      ),
    ),
  );
}
