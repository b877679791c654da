import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  QueueDoesNotExist,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { isLoopback } from './loopback-guard.ts';
import { attributesOf, type QueueResource } from './queue-properties.ts';
import { SetupError } from './setup-error.ts';

/** Creates the queues in another SQS, such as ElasticMQ, and returns its URLs by name. `fresh` empties the queues. */
export async function createForeignQueues(
  client: SQSClient,
  queues: readonly QueueResource[],
  fresh: boolean,
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  // A redrive policy may name only a queue that exists.
  const [targets, others] = [false, true].map((redrives) =>
    queues.filter(({ properties }) => (properties.RedrivePolicy !== undefined) === redrives),
  );
  for (const group of [targets ?? [], others ?? []])
    await Promise.all(
      group.map(async (queue) => {
        const url = await createQueue(client, queue);
        if (!isLoopback(url))
          throw new SetupError(`The queues at AWS_ENDPOINT_URL_SQS have URLs of another machine: ${url}`);
        if (fresh) await client.send(new PurgeQueueCommand({ QueueUrl: url }));
        urls.set(queue.name, url);
      }),
    );
  return urls;
}

async function createQueue(client: SQSClient, { name, properties }: QueueResource): Promise<string> {
  const attributes = attributesOf(properties);
  const existing = await findQueue(client, name);
  if (existing !== undefined) {
    await client.send(new SetQueueAttributesCommand({ QueueUrl: existing, Attributes: attributes }));
    return existing;
  }
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  if (QueueUrl === undefined) throw new SetupError(`The SQS at AWS_ENDPOINT_URL_SQS created ${name} without a URL.`);
  return QueueUrl;
}

async function findQueue(client: SQSClient, name: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl;
  } catch (error) {
    if (error instanceof QueueDoesNotExist) return undefined;
    throw error;
  }
}
