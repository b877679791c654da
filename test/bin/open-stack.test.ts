import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeStackFile } from '../../bin/practice/files.ts';
import { openStack, operatorFileName, type OperatorFile } from '../../bin/practice/stack.ts';
import { generateApiKey } from '../../functions/domain/practices/api-key.ts';
import { second } from '../../functions/domain/time.ts';
import { readStack } from '../../lib/local/template.ts';
import { sandboxAssembly } from '../support/built.ts';
import { runLine } from '../support/run-command.ts';
import { startServer } from '../support/server.ts';

/** A data directory whose stack has its database at that address. */
async function aDataDirectory(dynamodbEndpoint: string): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'payment-operator-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const { outputs } = readStack((await sandboxAssembly()).template, {
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
  expect(performance.now() - startedAt).toBeLessThan(40 * second);
});

const session = ['--session', 'ses_01M7WT8GBK9JN8GY3CPDSZDMFS'];

it.each([[['list']], [['simulate', ...session, '--as', 'user_good']], [['advance', ...session]], [['listen']]])(
  '%j on a stack that has stopped says how to start it',
  async (command) => {
    const stopped = 'http://127.0.0.1:1';
    const data = await aDataDirectory(stopped);
    const urls = { apiUrl: stopped, hostedUrl: stopped, dashboardUrl: stopped, docsUrl: stopped, dashboardUsers: [] };
    const endpoint = { webhookUrl: stopped, signingSecret: 'whsec_', endpointId: 'whe_1', testBankCredentials: [] };
    const { apiKey } = generateApiKey('sandbox', randomBytes);
    await writeStackFile(data, { ...urls, practice: { ...endpoint, practiceId: 'prc_1', apiKey } });
    const error = `The local stack in ${data} is not running. Start it with \`npm start -- --data ${data}\`.`;
    const { exitCode, stdout } = await runLine([...command, '--data', data, '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ error, code: 'stack_unreachable' });
  },
);
