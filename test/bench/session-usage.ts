import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { openLocal } from '../../bin/practice/stack.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import type { FinishedInvocation } from '../../lib/local/functions.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { synthesize } from '../../lib/build/synthesize.ts';
import { day } from '../../functions/domain/time.ts';
import { patientOf, succeeded } from '../support/patient.ts';
import { paymentsOf } from '../support/payments.ts';
import { meterDynamoDb } from './dynamodb-meter.ts';

const warmUp = 10;
export const sessions = 50;
/** The logical id of the sandbox bank's table starts with this. */
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
  rawPath: z.string().optional(),
  Records: z
    .array(
      z.object({
        eventSource: z.string(),
        attributes: z.object({ MessageGroupId: z.string().optional() }).optional(),
      }),
    )
    .optional(),
});

function count(usage: Usage, { target, event, milliseconds }: FinishedInvocation): void {
  const { rawPath, Records = [] } = invocation.parse(event);
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

/** The next sweep must not fall into the measurement. */
async function startOfMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 45_000) await wait(left + 2000);
}

export async function usageOfPaidSession() {
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
    { author, name: 'Lakeside Family Practice', webhookUrl: receiver.url, supportPhone: '+1 555 010 0100' },
    // Long before its events, as in production: a new endpoint's first events are read once more.
    Date.now() - day,
  );
  const { apiKey, testBankCredentials } = practice;
  const password = testBankCredentials?.[0]?.password ?? '';
  const { createSession } = paymentsOf({ apiUrl: stack.apiUrl, apiKey, password });

  async function pay(many: number, prefix: string): Promise<void> {
    const expected = receiver.got.webhooks + 2 * many;
    for (let number = 0; number < many; number += 1) {
      const patient = patientOf((await createSession({ invoiceId: `${prefix}-${number}` })).hostedUrl);
      succeeded(await patient.view());
      succeeded(await patient.open());
      succeeded(await patient.connectBank('user_good', password));
      succeeded(await patient.authorize());
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
