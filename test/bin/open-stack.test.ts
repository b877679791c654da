import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openStack, operatorFileName, type OperatorFile } from '../../bin/practice/stack.ts';
import { second } from '../../functions/domain/time.ts';
import { readStack } from '../../lib/local/template.ts';
import { startServer } from '../support/server.ts';

/** A data directory whose stack has its database at that address. */
async function aDataDirectory(dynamodbEndpoint: string): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'payment-operator-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const { outputs } = readStack(inject('assembly').template, {
    queueUrl: () => 'http://127.0.0.1:1/q',
    hosts: new Map(),
  });
  const settings = JSON.parse(outputs['OperatorSettings'] ?? '{}') as OperatorFile;
  const elsewhere = 'http://127.0.0.1:1';
  const file: OperatorFile = {
    ...settings,
    apiUrl: elsewhere,
    dashboardUrl: elsewhere,
    issuer: elsewhere,
    dynamodbEndpoint,
    sqsEndpoint: elsewhere,
    s3Endpoint: elsewhere,
    cognitoEndpoint: elsewhere,
    region: 'us-east-1',
    allowLoopbackWebhooks: true,
  };
  await writeFile(join(data, operatorFileName), JSON.stringify(file));
  return data;
}

it('a command on a stack whose database says nothing fails within seconds, and says what to do', async () => {
  const data = await aDataDirectory(`http://127.0.0.1:${await startServer(createServer())}`);
  const startedAt = performance.now();
  await expect(openStack({ data, stack: undefined })).rejects.toThrow(/does not answer\. Stop it, and start it again/);
  expect(performance.now() - startedAt).toBeLessThan(8 * second);
});

it('a command on a stack that has stopped says how to start it', async () => {
  const data = await aDataDirectory('http://127.0.0.1:1');
  await expect(openStack({ data, stack: undefined })).rejects.toThrow(/is not running\. Start it with/);
});
