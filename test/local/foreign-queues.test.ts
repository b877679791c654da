import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFauxqs, type Fauxqs, createForeignQueues } from '../../lib/local/queues.ts';
import { awsConfig } from '../support/answered-client.ts';
import { runTestStack, stopTestStack, until, type RunningTestStack, type TestStack } from './test-stack.ts';

const directory = mkdtempSync(join(tmpdir(), 'foreign-queues-'));
let foreign: Fauxqs;
let stack: RunningTestStack;
let sqs: SQSClient;

function build({ stack: test, fn }: TestStack): void {
  const dead = new Queue(test, 'Dead');
  const jobs = new Queue(test, 'Jobs', {
    visibilityTimeout: Duration.seconds(31),
    deadLetterQueue: { queue: dead, maxReceiveCount: 2 },
  });
  const waiting = new Queue(test, 'Waiting');
  const environment = { URL: waiting.queueUrl };
  const worker = fn('Worker', `record({ url: process.env.URL, bodies: event.Records.map(({ body }) => body) });`, {
    environment,
  });
  worker.addEventSource(new SqsEventSource(jobs));
}

beforeAll(async () => {
  foreign = await startFauxqs(directory);
  sqs = new SQSClient(awsConfig(foreign.origin));
  stack = await runTestStack(build, { hostEnvironment: { AWS_ENDPOINT_URL_SQS: foreign.origin } });
});
afterAll(async () => {
  await stopTestStack(stack);
  sqs.destroy();
  await foreign.stop();
  rmSync(directory, { recursive: true });
});

const arnOf = (queue: string) => `arn:aws:sqs:us-east-1:000000000000:${stack.resourceName(queue)}`;
const waitingMessages = () => foreign.server.inspectQueue(stack.resourceName('Waiting'))?.messages.ready.length;

it('creates its queues in another SQS with their settings, and works with them there', async () => {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: stack.queues.url(arnOf('Jobs')), AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({ VisibilityTimeout: '31' });
  expect(JSON.parse(Attributes?.['RedrivePolicy'] ?? '')).toMatchObject({ deadLetterTargetArn: arnOf('Dead') });
  await stack.queues.send(arnOf('Jobs'), 'first');
  await until(() => stack.recorded().length > 0);
  expect(stack.recorded()).toEqual([{ url: stack.queues.url(arnOf('Waiting')), bodies: ['first'] }]);
  expect(stack.environment['AWS_ENDPOINT_URL_SQS']).toBe(foreign.origin);
});

it('keeps their messages over a restart, and a fresh start empties them', async () => {
  await stack.queues.send(arnOf('Waiting'), 'kept');
  stack = await stack.restart();
  expect(waitingMessages()).toBe(1);
  const queue = { logicalId: 'Waiting', name: stack.resourceName('Waiting'), properties: {} };
  await createForeignQueues(sqs, [queue], true);
  expect(waitingMessages()).toBe(0);
});

it('uses the URL that the other SQS returns, unless it names another machine', async () => {
  const queue = { logicalId: 'Jobs', name: 'Jobs', properties: {} };
  const urls = (QueueUrl: string) => createForeignQueues({ send: async () => ({ QueueUrl }) } as never, [queue], false);
  expect(await urls('http://localhost:9324/queue/Jobs')).toEqual(
    new Map([['Jobs', 'http://localhost:9324/queue/Jobs']]),
  );
  await expect(urls('https://sqs.us-east-1.amazonaws.com/1/Jobs')).rejects.toThrow('URLs of another machine');
});
