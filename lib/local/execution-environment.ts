import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { region } from './account.ts';
import type { FunctionLog, InvocationResult } from './functions.ts';
import { parseJson } from './json.ts';

const invocationError = z.object({ errorType: z.string(), errorMessage: z.string(), trace: z.array(z.string()) });
export type InvocationError = z.output<typeof invocationError>;

const reply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('broken'), error: invocationError }),
  z.object({ kind: z.literal('result'), payload: z.string() }),
  z.object({ kind: z.literal('error'), error: invocationError }),
]);
type Reply = z.output<typeof reply>;

export interface WorkerData {
  readonly file: string;
  readonly handlerName: string;
  /** A directory that workers share. */
  readonly compileCache: string;
}

export interface Invocation {
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly context: Readonly<Record<string, string>>;
}

interface Settings extends WorkerData {
  readonly environment: Readonly<Record<string, string>>;
  readonly memory: number;
  readonly log: FunctionLog;
}

/** In milliseconds. Lambda allows ten seconds; a busy laptop may need more. */
const loadTimeout = 60_000;

export function executionEnvironment({ file, handlerName, compileCache, environment, memory, log }: Settings) {
  const worker = new Worker(new URL('./function-worker.js', import.meta.url), {
    workerData: { file, handlerName, compileCache } satisfies WorkerData,
    env: { ...environment },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memory },
    stdout: true,
    stderr: true,
  });
  log.follow(environment['AWS_LAMBDA_FUNCTION_NAME'] ?? '', worker.stdout, worker.stderr);

  let alive = true;
  let next = Promise.withResolvers<Reply>();
  const fail = (errorType: string, errorMessage: string) =>
    next.resolve({ kind: 'broken', error: { errorType, errorMessage, trace: [] } });

  worker.on('message', (message: unknown) => next.resolve(reply.parse(message)));
  worker.on('error', (error) => {
    alive = false;
    if (!(error instanceof Error)) fail('Runtime.Unknown', String(error));
    else if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail('Runtime.OutOfMemory', error.message);
    else fail(error.name, error.message);
  });
  worker.on('exit', () => {
    alive = false;
    fail('Runtime.ExitError', 'Runtime exited without providing a reason');
  });
  const loaded = load();

  async function load(): Promise<InvocationError | undefined> {
    const first = await within(next.promise, loadTimeout, 'Init', 'the function did not load');
    if (first.kind !== 'broken') return undefined;
    alive = false;
    await worker.terminate();
    return first.error;
  }

  async function within(answer: Promise<Reply>, milliseconds: number, requestId: string, what: string): Promise<Reply> {
    const timer = setTimeout(() => {
      alive = false;
      fail(
        'Sandbox.Timedout',
        `RequestId: ${requestId} Error: ${what} after ${(milliseconds / 1000).toFixed(2)} seconds`,
      );
      void worker.terminate();
    }, milliseconds);
    const received = await answer;
    clearTimeout(timer);
    return received;
  }

  return {
    loaded,
    get alive() {
      return alive;
    },
    /** Runs one event at a time, after `loaded`. `timeout` is in milliseconds. */
    async run(
      event: unknown,
      { timeout, context }: { timeout: number; context: Readonly<Record<string, string>> },
    ): Promise<InvocationResult> {
      if (!alive)
        return { ok: false, error: { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited', trace: [] } };
      next = Promise.withResolvers();
      worker.postMessage({
        event: JSON.stringify(event),
        deadline: Date.now() + timeout,
        context,
      } satisfies Invocation);
      const answer = await within(next.promise, timeout, context['awsRequestId'] ?? '', 'Task timed out');
      switch (answer.kind) {
        case 'result':
          return { ok: true, payload: parseJson(answer.payload) };
        case 'error':
        case 'broken':
          return { ok: false, error: answer.error };
        case 'ready':
          return {
            ok: false,
            error: { errorType: 'Runtime.Unknown', errorMessage: 'the function loaded twice', trace: [] },
          };
        default: {
          const never: never = answer;
          return never;
        }
      }
    },
    async stop() {
      if (!alive) return;
      alive = false;
      await Promise.all([once(worker, 'exit'), worker.terminate()]);
    },
  };
}

export type ExecutionEnvironment = ReturnType<typeof executionEnvironment>;

/** `AWS_ENDPOINT_URL` names a closed port, so no other client reaches AWS. */
export function baseEnvironment(endpoints: {
  dynamodb: string;
  sqs: string;
  s3: string;
  eventbridge: string;
  substitutes: string;
}): Record<string, string> {
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    TZ: ':UTC',
    PATH: process.env['PATH'] ?? '',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventbridge,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.substitutes,
    AWS_ENDPOINT_URL_SESV2: endpoints.substitutes,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoints.substitutes,
  };
}
