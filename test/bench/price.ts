import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { createPractice } from '../../functions/practices/settings.ts';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { openLocal } from '../../bin/practice/stack.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import type { FinishedInvocation } from '../../lib/local/functions.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { synthesize } from '../../lib/synthesize.ts';
import { meterDynamoDb } from './dynamodb-meter.ts';
import { localPayments } from './npm-start.ts';
import { pageJourney, received } from './page-journey.ts';
import { table } from './report.ts';

/**
 * List prices in dollars, us-east-1, 2026-11-20, without free tiers and volume discounts. From https://aws.amazon.com/cloudfront/pricing,
 * https://aws.amazon.com/eventbridge/pricing/, https://aws.amazon.com/lambda/pricing/ and the same pages of the other services.
 */
const prices = {
  writeUnits: 0.625e-6,
  readUnits: 0.125e-6,
  apiRequests: 1e-6,
  lambdaRequests: 0.2e-6,
  /** arm64 */
  lambdaGigabyteSeconds: 0.0000133334,
  events: 1e-6,
  queueRequests: 0.4e-6,
  /** With a message group, as fair queues require. */
  fairQueueRequests: 0.5e-6,
  pageRequests: 1e-6,
  pageFunctions: 0.1e-6,
  pageGigabytes: 0.085,
  gigabytesOut: 0.09,
  logGigabytes: 0.5,
};

const [warmUp, sessions] = [10, 50];
/** A message is sent, received and deleted, one per request at a low rate. */
const requestsPerMessage = 3;

/** What the logical ID of the sandbox bank's table begins with. */
const sandboxLedger = 'DataSandboxDebits';

interface Usage {
  apiRequests: number;
  invocations: number;
  gigabyteSeconds: number;
  milliseconds: number;
  streamRecords: number;
  messages: number;
  fairMessages: number;
  sweeps: number;
}

const none: Usage = {
  apiRequests: 0,
  invocations: 0,
  gigabyteSeconds: 0,
  milliseconds: 0,
  streamRecords: 0,
  messages: 0,
  fairMessages: 0,
  sweeps: 0,
};

const invocation = z.object({
  rawPath: z.optional(z.string()),
  Records: z.optional(
    z.array(
      z.object({
        eventSource: z.string(),
        attributes: z.optional(z.object({ MessageGroupId: z.optional(z.string()) })),
      }),
    ),
  ),
});

/** Adds what an invocation was for, and how long it took. */
function count(usage: Usage, { target, event, milliseconds }: FinishedInvocation): void {
  const { rawPath, Records = [] } = z.parse(invocation, event);
  const messages = Records.filter(({ eventSource }) => eventSource === 'aws:sqs');
  usage.invocations += 1;
  usage.sweeps += target.name.includes('Sweep') ? 1 : 0;
  usage.apiRequests += rawPath === undefined ? 0 : 1;
  usage.streamRecords += Records.length - messages.length;
  usage.messages += messages.length;
  usage.fairMessages += messages.filter(({ attributes }) => attributes?.MessageGroupId !== undefined).length;
  usage.milliseconds += milliseconds;
  usage.gigabyteSeconds +=
    (Number(target.environment['AWS_LAMBDA_FUNCTION_MEMORY_SIZE']) / 1024) * (Math.ceil(milliseconds) / 1000);
}

/** A practice's server, which adds up what it is sent. */
async function startReceiver() {
  const got = { webhooks: 0, bytes: 0 };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    got.webhooks += 1;
    got.bytes += body.length + request.rawHeaders.join('    ').length;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => void server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got, stop };
}

async function sizeOf(directory: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The sweep runs every minute. Waits until enough of the minute is left to measure without one. */
async function startOfMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 45_000) await wait(left + 2000);
}

/** What a paid session uses on average, from its creation to both webhooks: requests, units, milliseconds, bytes. */
async function measure() {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const assembly = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const dynamo = await startDynamoDb(directory, {});
  cleanup.defer(() => dynamo.stop());
  const meter = await meterDynamoDb(dynamo.endpoint);
  cleanup.defer(() => meter.stop());
  const dataDir = join(directory, 'data');
  const usage = { ...none };
  const hostEnvironment = { AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint };
  const stack = await startLocalStack({
    ...assembly,
    dataDir,
    firstPort: 0,
    hostEnvironment,
    onInvocation: (finished) => count(usage, finished),
  });
  cleanup.defer(() => stack.stop());
  const receiver = await startReceiver();
  cleanup.defer(receiver.stop);
  const practice = await createPractice(
    openLocal(operatorFileOf(stack)),
    { name: 'Lakeside Family Practice', webhookUrl: receiver.url, supportPhone: '+1 555 010 0100' },
    Date.now(),
  );
  const payments = localPayments({ apiUrl: stack.apiUrl, practice });

  async function pay(many: number, prefix: string): Promise<void> {
    const expected = receiver.got.webhooks + 2 * many;
    for (let number = 0; number < many; number += 1) {
      const link = await payments.createSession(`${prefix}-${number}`);
      await payments.ask(link);
      await payments.open(link);
      await (
        await payments.connectBank(link)
      )();
    }
    for (const deadline = Date.now() + 30_000; receiver.got.webhooks < expected; await wait(50))
      if (Date.now() > deadline) throw new Error('webhooks are missing');
    // Some writes follow the last response.
    await wait(1500);
  }
  await pay(warmUp, 'WARM');
  await startOfMinute();
  meter.reset();
  Object.assign(usage, none);
  Object.assign(receiver.got, { webhooks: 0, bytes: 0 });
  const logged = await sizeOf(join(dataDir, 'logs'));
  await pay(sessions, 'INV');
  if (usage.sweeps > 0) throw new Error('A sweep ran during the measurement, and its requests would be counted.');
  const total = (units: ReadonlyMap<string, number>) => [...units.values()].reduce((sum, count) => sum + count, 0);
  const each = (all: number) => all / sessions;
  return {
    writeUnits: each(total(meter.writeUnits)),
    sandboxWriteUnits: each(meter.writeUnits.get(stack.resourceName(sandboxLedger)) ?? 0),
    readUnits: each(total(meter.readUnits)),
    refused: each(meter.refused),
    webhooks: each(receiver.got.webhooks),
    webhookBytes: each(receiver.got.bytes),
    logBytes: each((await sizeOf(join(dataDir, 'logs'))) - logged),
    apiRequests: each(usage.apiRequests),
    invocations: each(usage.invocations),
    milliseconds: each(usage.milliseconds),
    gigabyteSeconds: each(usage.gigabyteSeconds),
    events: each(usage.streamRecords),
    messages: each(usage.messages),
    fairMessages: each(usage.fairMessages),
  };
}

/** The list price of a million paid sessions, extrapolated from a few. */
export async function benchPrice(): Promise<string> {
  const used = await measure();
  const submitted = (await pageJourney()).find(({ step }) => step.startsWith('authorized'))?.moved ?? [];
  const plainMessages = used.messages - used.fairMessages;
  const gigabytes = (bytes: number) => bytes / 1e9;
  const lines: [string, string, number][] = [
    [
      'DynamoDB writes',
      `${used.writeUnits.toFixed(1)} WRU, including ${used.sandboxWriteUnits.toFixed(1)} for the sandbox bank`,
      used.writeUnits * prices.writeUnits,
    ],
    ['DynamoDB reads', `${used.readUnits.toFixed(1)} RRU`, used.readUnits * prices.readUnits],
    ['API requests', used.apiRequests.toFixed(1), used.apiRequests * prices.apiRequests],
    ['Lambda requests', used.invocations.toFixed(1), used.invocations * prices.lambdaRequests],
    [
      'Lambda time, as measured on this machine',
      `${used.milliseconds.toFixed(0)} ms`,
      used.gigabyteSeconds * prices.lambdaGigabyteSeconds,
    ],
    ['EventBridge events', used.events.toFixed(1), used.events * prices.events],
    [
      `SQS requests, ${requestsPerMessage} per message`,
      (requestsPerMessage * used.messages).toFixed(1),
      requestsPerMessage * (plainMessages * prices.queueRequests + used.fairMessages * prices.fairQueueRequests),
    ],
    [
      'CloudFront requests and viewer functions',
      String(submitted.length),
      submitted.length * (prices.pageRequests + prices.pageFunctions),
    ],
    [
      'CloudFront bytes',
      `${(received(submitted) / 1000).toFixed(1)} kB`,
      gigabytes(received(submitted)) * prices.pageGigabytes,
    ],
    [
      'webhooks, as data transfer out',
      `${used.webhooks.toFixed(1)} × ${(used.webhookBytes / used.webhooks / 1000).toFixed(1)} kB`,
      gigabytes(used.webhookBytes) * prices.gigabytesOut,
    ],
    ['our log lines', `${(used.logBytes / 1000).toFixed(1)} kB`, gigabytes(used.logBytes) * prices.logGigabytes],
  ];
  const dollars = (price: number) => `$${(price * 1e6).toFixed(2)}`;
  const total = lines.reduce((sum, [, , price]) => sum + price, 0);
  return table(
    [`per paid session, mean of ${sessions}`, 'measured', 'per million, at list price'],
    [
      ...lines.map(([name, measured, price]) => [name, measured, dollars(price)]),
      [
        'total',
        used.refused > 0
          ? `and ${used.refused.toFixed(1)} refused writes, whose units the database does not report`
          : '',
        dollars(total),
      ],
    ],
  );
}
