import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { startFauxqs as start } from 'fauxqs';
import { accountId, credentials, nameInArn, region } from './account.ts';
import { inert, wholeNumber } from './property-schema.ts';
import type { Resource } from './template.ts';

export function openQueues({ origin, server }: Fauxqs) {
  const client = new SQSClient({ endpoint: origin, region, credentials });
  const url = (queueArn: string) => `${origin}/${accountId}/${nameInArn(queueArn)}`;

  return {
    client,
    url,
    async send(queueArn: string, body: string) {
      await client.send(new SendMessageCommand({ QueueUrl: url(queueArn), MessageBody: body }));
    },
    async create(queues: readonly QueueResource[]) {
      await Promise.all(queues.map((queue) => createQueue(server, client, queue, url(queue.name))));
    },
  };
}

export type Queues = ReturnType<typeof openQueues>;

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

export const queueProperties = z.strictObject({
  VisibilityTimeout: wholeNumber,
  MessageRetentionPeriod: wholeNumber,
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.int() }).optional(),
  SqsManagedSseEnabled: inert('a laptop encrypts its own disk'),
});

type QueueResource = Resource<z.output<typeof queueProperties>>;

/** Returns the properties as SQS attributes. */
function attributesOf(properties: QueueResource['properties']): Record<string, string> {
  const { RedrivePolicy } = properties;
  const values = {
    VisibilityTimeout: properties.VisibilityTimeout ?? 30,
    MessageRetentionPeriod: properties.MessageRetentionPeriod ?? 345_600,
    MaximumMessageSize: 1_048_576,
    RedrivePolicy: RedrivePolicy && JSON.stringify(RedrivePolicy),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Without `dataDir`, nothing outlives the process. */
export async function startFauxqs(dataDir: string | undefined) {
  // A kill could truncate an object's file, so the database keeps objects.
  const kept = dataDir === undefined ? {} : { dataDir: join(dataDir, 'fauxqs') };
  const server = await start({ port: 0, logger: false, ...kept, defaultRegion: region });
  const keepOut = refuseStrangers(server.port);
  const host = `127.0.0.1:${server.port}`;
  return {
    host,
    origin: `http://${host}`,
    server,
    async stop() {
      await server.stop();
      keepOut();
    },
  };
}

export type Fauxqs = Awaited<ReturnType<typeof startFauxqs>>;

/** fauxqs listens on all interfaces. This closes connections from other machines. */
function refuseStrangers(port: number): () => void {
  const onSocket = (message: unknown) => {
    const socket = typeof message === 'object' && message !== null && 'socket' in message ? message.socket : undefined;
    if (!(socket instanceof Socket) || socket.localPort !== port) return;
    if (socket.remoteAddress !== '127.0.0.1' && socket.remoteAddress !== '::ffff:127.0.0.1') socket.destroy();
  };
  subscribe('net.server.socket', onSocket);
  return () => unsubscribe('net.server.socket', onSocket);
}
