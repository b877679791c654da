import { once } from 'node:events';
import { connect as openSocket, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, type TestContext } from 'vitest';
import { awsClient } from '../functions/aws-client.ts';
import { isTransient, isUnanswered } from '../functions/aws-failure.ts';
import { dynamoDb } from '../functions/store/dynamodb.ts';
import { awsConfig } from './support/answered-client.ts';
import { startServer } from './support/server.ts';
import { credentialsIn } from '../lib/aws-sdk/environment-credentials.ts';

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (reason: unknown) => reason,
  );

/** Which of the client's timers ended a call, and after how long: a busy machine is late, so no test measures that. */
const requestTimeout = expect.stringContaining('exceeded the configured 2000 ms requestTimeout') as string;
const inactivity = expect.stringContaining('timed out after 2000 ms of inactivity') as string;
const connectionTimeout = expect.stringContaining('within the configured timeout of 1000 ms') as string;

const read = (port: number, options: DynamoDBClientConfig = { maxAttempts: 1 }) =>
  dynamoDb({ ...awsConfig(`http://127.0.0.1:${port}`), ...options })('GetItem', {
    TableName: 'table',
    Key: { id: { S: '1' } },
  });

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
  it('gives up on a server that accepts and says nothing', async ({ expect, onTestFinished }) => {
    const error = await failureOf(read(await startServer(createServer(), onTestFinished)));
    expect(error).toMatchObject({ name: 'TimeoutError', message: requestTimeout });
    expect([isUnanswered(error), isTransient(error)]).toEqual([true, true]);
  });

  it('tries again after a timeout, as often as it may', async ({ expect, onTestFinished }) => {
    // A shorter timeout. The extension sets the usual one for each request.
    const requestHandler = { ...awsClient.requestHandler, requestTimeout: 100 };
    const port = await startServer(createServer(), onTestFinished);
    const error = await failureOf(read(port, { requestHandler, extensions: [] }));
    expect(error).toMatchObject({ name: 'TimeoutError', $metadata: { attempts: awsClient.maxAttempts } });
  });

  it('gives up on an answer that stops midway', async ({ expect, onTestFinished }) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: 99\r\n\r\n{';
    const server = createServer((socket) => void socket.once('data', () => socket.write(head)));
    const error = await failureOf(read(await startServer(server, onTestFinished)));
    expect(isUnanswered(error)).toBe(true);
    expect(error).toMatchObject({ message: inactivity });
  });

  it('gives up on a server that never accepts after a second', async ({ expect, onTestFinished }) => {
    const error = await failureOf(read(await startServerThatNeverAccepts(onTestFinished)));
    expect(error).toMatchObject({ name: 'TimeoutError', message: connectionTimeout });
  });

  it('has the same timeouts for another service', async ({ expect, onTestFinished }) => {
    const port = await startServer(createServer(), onTestFinished);
    const queues = new SQSClient({ ...awsClient, maxAttempts: 1, ...awsConfig(`http://127.0.0.1:${port}`) });
    const error = await failureOf(
      queues.send(new SendMessageCommand({ QueueUrl: `http://127.0.0.1:${port}/1/queue`, MessageBody: 'ticket' })),
    );
    expect(isUnanswered(error)).toBe(true);
    expect(error).toMatchObject({ message: requestTimeout });
  });
});

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the secret' };

it("a function has its role's credentials, with their session", () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'the secret' };
  expect(credentialsIn({ ...keys, AWS_SESSION_TOKEN: 'the session' })).toEqual({
    ...credentials,
    sessionToken: 'the session',
  });
  expect(credentialsIn(keys)).toEqual(credentials);
});

it('without credentials, the error names the variables', () => {
  expect(() => credentialsIn({})).toThrow(/AWS_ACCESS_KEY_ID/);
  expect(() => credentialsIn({ ...keys, AWS_SECRET_ACCESS_KEY: '' })).toThrow(/AWS_SECRET_ACCESS_KEY/);
});
