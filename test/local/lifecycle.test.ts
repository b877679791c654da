import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, StreamViewType, TableV2, type ITable } from 'aws-cdk-lib/aws-dynamodb';
import { StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { dynoxideBinary } from '../../lib/local/dynoxide.ts';
import { SetupError } from '../../lib/local/setup-error.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { openState } from '../../lib/local/state.ts';
import { synthesize } from './test-stack.ts';
import { until } from '../support/until.ts';

const require = `const { createRequire } = require('node:module'); const sdk = createRequire(${JSON.stringify(import.meta.filename)});`;
const assembly = mkdtempSync(join(tmpdir(), 'local-assembly-'));
const children: ChildProcess[] = [];
let directory: string;

let synthesized: ReturnType<typeof synthesize>;
beforeAll(() => {
  synthesized = synthesize(assembly, ({ stack, fn }) => {
    const table = new TableV2(stack, 'Table', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      dynamoStream: StreamViewType.NEW_IMAGE,
    });
    const queue = new Queue(stack, 'Queue', { visibilityTimeout: Duration.minutes(10) });
    const slow = fn(
      'Slow',
      `record({ from: 'slow', body: event.Records[0].body }); await new Promise((done) => setTimeout(done, process.env.HANG === 'yes' && event.Records[0].body === 'hang' ? 600_000 : 0));`,
      { environment: { HANG: 'yes' }, timeout: Duration.minutes(10) },
    );
    slow.addEventSource(new SqsEventSource(queue, { batchSize: 1 }));
    const put = fn(
      'Put',
      `${require}
      const { DynamoDBClient, PutItemCommand } = sdk('@aws-sdk/client-dynamodb');
      const { SQSClient, SendMessageCommand } = sdk('@aws-sdk/client-sqs');
      await new DynamoDBClient().send(new PutItemCommand({ TableName: process.env.TABLE, Item: { id: { S: event.rawQueryString } } }));
      await new SQSClient().send(new SendMessageCommand({ QueueUrl: process.env.QUEUE, MessageBody: event.rawQueryString }));
      return 'done';`,
      { environment: { TABLE: table.tableName, QUEUE: queue.queueUrl } },
    );
    fn('Read', `for (const r of event.Records) record({ from: 'stream', id: r.dynamodb.Keys.id.S });`).addEventSource(
      new DynamoEventSource(table as ITable, { startingPosition: StartingPosition.TRIM_HORIZON }),
    );
    new HttpApi(stack, 'Api').addRoutes({
      path: '/put',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('Integration', put),
    });
  });
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'local-run-'));
  rmSync(join(assembly, 'recorded'), { force: true });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

afterAll(() => rmSync(assembly, { recursive: true, force: true }));

function start() {
  const script = join(import.meta.dirname, 'run-assembly.ts');
  const out = join(assembly, 'cdk.out');
  const child = spawn(process.execPath, [script, out, join(out, 'Test.template.json'), join(directory, 'data')], {
    env: { PATH: process.env['PATH']!, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.errors += chunk.toString()));
  return {
    child,
    output,
    /** Resolves after its last output. */
    exit: once(child, 'close'),
    async ready() {
      await until(() => output.text.includes('ready') || child.exitCode !== null);
      if (child.exitCode !== null) throw new Error(output.errors);
      return /ready (\S+)/.exec(output.text)?.[1] ?? '';
    },
  };
}

const recorded = (from: string) => {
  try {
    return readFileSync(join(assembly, 'recorded'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((entry) => entry.from === from);
  } catch {
    return [];
  }
};

function processes(): { pid: number; command: string }[] {
  const all = existsSync('/proc/self/cmdline') ? processesOfProc() : processesOfPs();
  return all.filter(({ command }) => command.includes(`${directory}/data`));
}

function processesOfProc() {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid)
        ? [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
        : [];
    } catch {
      return [];
    }
  });
}

/** macOS has no /proc. */
function processesOfPs() {
  const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), command: line.replace(/^ *\d+ /, '') }));
}

it('keeps tables, messages and positions across kill -9, leaves no process behind and restarts at once', async () => {
  const first = start();
  const url = await first.ready();
  expect((await fetch(`${url}/put?one`, { method: 'POST' })).status).toBe(200);
  await until(() => recorded('stream').length === 1 && recorded('slow').length === 1);
  expect((await fetch(`${url}/put?hang`, { method: 'POST' })).status).toBe(200);
  await until(() => recorded('slow').length === 2 && recorded('stream').length === 2);
  first.child.kill('SIGKILL');
  await first.exit;

  const second = start();
  const again = await second.ready();
  expect((await fetch(`${again}/put?two`, { method: 'POST' })).status).toBe(200);
  const bodies = () => recorded('slow').map(({ body }) => String(body));
  const hanging = () => bodies().filter((body) => body === 'hang');
  await until(() => recorded('stream').some(({ id }) => id === 'two'));
  await until(() => bodies().includes('two') && hanging().length === 2);
  // A kill before the position is stored, or before a message is deleted, makes it repeat.
  const ids = recorded('stream').map(({ id }) => String(id));
  expect(ids.filter((id, index) => id !== ids[index - 1])).toEqual(['one', 'hang', 'two']);
  expect(new Set(bodies())).toEqual(new Set(['one', 'hang', 'two']));
  second.child.kill('SIGKILL');
  await second.exit;
  await until(() => processes().length === 0);
});

it('ends on SIGTERM with exit code 0 and without its children, and does not wait for a function that runs', async () => {
  const { child, exit, ready, output } = start();
  const url = await ready();
  await fetch(`${url}/put?hang`, { method: 'POST' });
  await until(() => recorded('slow').length === 1);
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(output.errors).toBe('');
  await until(() => processes().length === 0);
});

it('says in one line that the database ended unexpectedly', async () => {
  const { exit, output, ready } = start();
  await ready();
  const database = processes().find(({ command }) => /^\S*dynoxide /.test(command));
  process.kill(database!.pid, 'SIGKILL');
  expect(await exit).toEqual([1, null]);
  expect(output.errors).toMatch(/^dynoxide ended unexpectedly\. Start again.*\n$/);
});

/** Starts the stack in this process. */
function startHere({ hostEnvironment = {} as Record<string, string>, firstPort = 0 } = {}) {
  const dataDir = join(directory, 'data');
  return startLocalStack({ ...synthesized, dataDir, firstPort, hostEnvironment });
}

it('says in one line that a port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const error = await startHere({ firstPort: port }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SetupError);
  expect(String(error)).toMatch(new RegExp(`Port ${port} is taken\\. .*--port \\d+$`));
});

it('does not start while another stack uses the same data', async () => {
  const other = openState(join(directory, 'data'));
  const error = await startHere().catch((reason: unknown) => reason);
  other.close();
  expect(error).toBeInstanceOf(SetupError);
  expect(String(error)).toMatch(/Another local stack uses .*--data DIR\.$/);
});

it.each([
  [
    'https://dynamodb.us-east-1.amazonaws.com',
    /AWS_ENDPOINT_URL_DYNAMODB is not an address of this machine\. Unset it, or set it to http:\/\/127\.0\.0\.1:PORT\.$/,
  ],
  ['http://127.0.0.1:1', /Nothing answers at http:\/\/127\.0\.0\.1:1\. .*$/],
])('refuses a database at %s', async (endpoint, line) => {
  const error = await startHere({ hostEnvironment: { AWS_ENDPOINT_URL_DYNAMODB: endpoint } }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SetupError);
  expect(String(error)).toMatch(line);
});

it('says in one line what to do if this platform has no dynoxide', () => {
  expect(() => dynoxideBinary('@dynoxide/sunos-sparc')).toThrow(
    /^No DynamoDB here: the package @dynoxide\/sunos-sparc is not installed\. Run "npm ci".*AWS_ENDPOINT_URL_DYNAMODB.*$/,
  );
});

it('listens only on loopback', async () => {
  const stack = await startHere();
  onTestFinished(() => stack.stop());
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal);
  for (const name of ['DYNAMODB', 'SQS', 'S3', 'EVENTBRIDGE']) {
    const { port } = new URL(stack.environment[`AWS_ENDPOINT_URL_${name}`] ?? '');
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeGreaterThan(0);
    if (outside !== undefined) await expect(fetch(`http://${outside.address}:${port}/`)).rejects.toThrow();
  }
});
