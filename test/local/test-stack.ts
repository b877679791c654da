import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand, type Message } from '@aws-sdk/client-sqs';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime, type FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { startLocalStack, type LocalStack, type LocalStackOptions } from '../../lib/local/stack.ts';

export interface TestStack {
  readonly stack: Stack;
  readonly directory: string;
  /** `body` goes into `async (event, context) => {…}` and may call `record(value)`. */
  fn(id: string, body: string, options?: FunctionOptions): LambdaFunction;
}

export interface RunningTestStack extends LocalStack {
  recorded(): readonly any[];
  readonly directory: string;
  restart(): Promise<RunningTestStack>;
}

/** Handlers report to the test through a file. */
export async function runTestStack(
  build: (test: TestStack) => void,
  options: Partial<LocalStackOptions> = {},
): Promise<RunningTestStack> {
  const directory = mkdtempSync(join(tmpdir(), 'local-stack-'));
  return run(directory, synthesize(directory, build), options);
}

export function synthesize(
  directory: string,
  build: (test: TestStack) => void,
): { template: unknown; assetDirectory: string } {
  const app = new App({
    outdir: join(directory, 'cdk.out'),
    analyticsReporting: false,
    treeMetadata: false,
    builtinCloudFormationValidation: false,
  });
  const stack = new Stack(app, 'Test', { env: { region: 'us-east-1' } });
  build({
    stack,
    directory,
    fn(id, body, props) {
      const source = join(directory, 'functions', id);
      mkdirSync(source, { recursive: true });
      const record = `const record = (value) => require('node:fs').appendFileSync(${JSON.stringify(join(directory, 'recorded'))}, JSON.stringify(value) + '\\n');`;
      writeFileSync(join(source, 'index.js'), `${record}\nexports.handler = async (event, context) => {${body}\n};`);
      return new LambdaFunction(stack, id, {
        runtime: Runtime.NODEJS_24_X,
        handler: 'index.handler',
        code: Code.fromAsset(source),
        timeout: Duration.minutes(1),
        ...props,
      });
    },
  });
  const assembly = app.synth();
  return { template: assembly.getStackByName('Test').template, assetDirectory: assembly.directory };
}

async function run(
  directory: string,
  source: { template: unknown; assetDirectory: string },
  options: Partial<LocalStackOptions>,
): Promise<RunningTestStack> {
  const local = await startLocalStack({
    ...source,
    dataDir: join(directory, 'data'),
    firstPort: 0,
    hostEnvironment: {},
    ...options,
  });
  return {
    ...local,
    directory,
    recorded() {
      try {
        return readFileSync(join(directory, 'recorded'), 'utf8')
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
      } catch {
        return [];
      }
    },
    async restart() {
      await local.stop();
      return run(directory, source, options);
    },
  };
}

export async function stopTestStack(stack: RunningTestStack | undefined): Promise<void> {
  await stack?.stop();
  if (stack !== undefined) rmSync(stack.directory, { recursive: true, force: true });
}

/** Returns a queue's messages as soon as there are any. */
export async function receive({ queues, resourceName }: RunningTestStack, queue: string): Promise<Message[]> {
  const QueueUrl = queues.url(resourceName(queue));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { Messages = [] } = await queues.client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 20,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length > 0) return Messages;
  }
  throw new Error(`no message in ${queue}`);
}
