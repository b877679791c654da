import { once } from 'node:events';
import { connect as openSocket, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, it, type TestContext } from 'vitest';
import { awsClient, longestCall } from '../functions/aws-client.ts';
import { isTransient, isUnanswered } from '../functions/aws-failure.ts';
import { second } from '../functions/domain/time.ts';
import { dynamoDb } from '../functions/store/dynamodb.ts';
import { awsConfig } from './support/aws.ts';
import { startServer } from './support/server.ts';

async function failureOf(call: Promise<unknown>) {
  const startedAt = performance.now();
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, took: performance.now() - startedAt };
}

const read = (port: number) =>
  dynamoDb(awsConfig(`http://127.0.0.1:${port}`))('GetItem', { TableName: 'table', Key: { id: { S: '1' } } });

/** A server whose thread sleeps: after a few connections, the kernel accepts no more. */
async function startServerThatNeverAccepts(onTestFinished: TestContext['onTestFinished']): Promise<number> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer();
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, 'message')) as [number];
  const sockets = Array.from({ length: 4 }, () => openSocket(port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await worker.terminate();
  });
  await once(sockets[0] as Socket, 'connect');
  return port;
}

describe.concurrent('an AWS client', () => {
  it(
    'gives up on a server that accepts and says nothing, after its attempts',
    { timeout: 30_000 },
    async ({ expect, onTestFinished }) => {
      let connections = 0;
      const port = await startServer(
        createServer(() => (connections += 1)),
        onTestFinished,
      );
      const { error, took } = await failureOf(read(port));
      expect(error).toMatchObject({ name: 'TimeoutError' });
      expect([isUnanswered(error), isTransient(error)]).toEqual([true, true]);
      expect(connections).toBe(awsClient.maxAttempts);
      expect(took).toBeGreaterThan(6 * second);
      expect(took).toBeLessThan(longestCall + second);
    },
  );

  it('gives up on an answer that stops midway', { timeout: 20_000 }, async ({ expect, onTestFinished }) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: 99\r\n\r\n{';
    const server = createServer((socket) => void socket.once('data', () => socket.write(head)));
    const { error, took } = await failureOf(read(await startServer(server, onTestFinished)));
    expect(isUnanswered(error)).toBe(true);
    expect(took).toBeLessThan(longestCall + second);
  });

  it(
    'gives up on a server that never accepts after a second an attempt',
    { timeout: 20_000 },
    async ({ expect, onTestFinished }) => {
      const { error, took } = await failureOf(read(await startServerThatNeverAccepts(onTestFinished)));
      expect(error).toMatchObject({ name: 'TimeoutError' });
      expect(took).toBeGreaterThan(2.9 * second);
      expect(took).toBeLessThan(5 * second);
    },
  );

  it('has the same timeouts for another service', async ({ expect, onTestFinished }) => {
    const port = await startServer(createServer(), onTestFinished);
    const queues = new SQSClient({ ...awsClient, maxAttempts: 1, ...awsConfig(`http://127.0.0.1:${port}`) });
    const { error, took } = await failureOf(
      queues.send(new SendMessageCommand({ QueueUrl: `http://127.0.0.1:${port}/1/queue`, MessageBody: 'ticket' })),
    );
    expect(isUnanswered(error)).toBe(true);
    expect(took).toBeLessThan(4 * second);
  });
});
