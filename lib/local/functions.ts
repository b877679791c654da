import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync, createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join, parse } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { environmentPool, type StartLimit } from './environment-pool.ts';
import { executionEnvironment, type InvocationError } from './execution-environment.ts';
import { inert, wholeNumber } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';
import { isObject, parseJson } from './json.ts';

export const functionProperties = z.strictObject({
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }).optional(),
  MemorySize: wholeNumber,
  Timeout: wholeNumber,
  ReservedConcurrentExecutions: wholeNumber,
  Architectures: inert('bundles are plain JavaScript'),
  Role: inert('lib/local/permissions reads it'),
  LoggingConfig: inert('logs go to a file per function'),
  Description: inert('for readers'),
  RecursiveLoop: inert('a guard of AWS'),
});

type FunctionResource = Resource<z.output<typeof functionProperties>>;

export type InvocationResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: InvocationError };

const maximumEnvironments = 10;
const defaultTimeoutSeconds = 3;
const defaultMemoryMegabytes = 128;

export interface LocalFunction {
  readonly name: string;
  readonly arn: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Never rejects: a failure is a result. */
  invoke(event: unknown, options?: InvokeOptions): Promise<InvocationResult>;
  stop(): Promise<void>;
}

interface InvokeOptions {
  readonly requestId?: string;
}

export interface FinishedInvocation {
  readonly target: LocalFunction;
  readonly event: unknown;
  readonly milliseconds: number;
}

interface FunctionSettings {
  readonly assetDirectory: string;
  readonly arn: string;
  readonly baseEnvironment: Readonly<Record<string, string>>;
  readonly log: FunctionLog;
  readonly starts: StartLimit;
  readonly onInvocation?: ((finished: FinishedInvocation) => void) | undefined;
}

/** Throws SetupError if the bundle is missing. */
export function createFunction({ name, properties }: FunctionResource, settings: FunctionSettings): LocalFunction {
  const [moduleName = '', handlerName = ''] = properties.Handler.split(/\.(?=[^.]*$)/);
  const directory = assetPath(settings.assetDirectory, properties.Code.S3Key);
  const file = moduleFile(name, directory, moduleName);
  const compileCache = join(settings.assetDirectory, '.compile-cache');
  const memory = properties.MemorySize ?? defaultMemoryMegabytes;
  const timeout = (properties.Timeout ?? defaultTimeoutSeconds) * 1000;
  const limit = Math.min(properties.ReservedConcurrentExecutions ?? maximumEnvironments, maximumEnvironments);
  const environment = {
    ...settings.baseEnvironment,
    AWS_LAMBDA_FUNCTION_NAME: name,
    // Each function signs with its own name, so that a proxy can tell them apart.
    AWS_ACCESS_KEY_ID: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: directory,
    _HANDLER: properties.Handler,
    ...properties.Environment?.Variables,
  };

  const pool = environmentPool(
    () => executionEnvironment({ file, handlerName, compileCache, environment, memory, log: settings.log }),
    { limit, starts: settings.starts },
  );
  let stopped = false;

  const self: LocalFunction = {
    name,
    arn: settings.arn,
    environment,
    async invoke(event, { requestId = randomUUID() } = {}) {
      const acquired = await pool.acquire();
      const startedAt = performance.now();
      const result: InvocationResult =
        'errorType' in acquired
          ? { ok: false, error: acquired }
          : await acquired.run(event, { timeout, context: contextOf(requestId) }).finally(() => pool.release(acquired));
      if (!result.ok && !stopped)
        settings.log.warn(`${name} failed with ${result.error.errorType}; see ${settings.log.path(name)}`);
      settings.onInvocation?.({ target: self, event, milliseconds: performance.now() - startedAt });
      return result;
    },
    async stop() {
      stopped = true;
      await pool.stop();
    },
  };

  function contextOf(requestId: string) {
    return {
      awsRequestId: requestId,
      functionName: name,
      functionVersion: '$LATEST',
      invokedFunctionArn: settings.arn,
      memoryLimitInMB: String(memory),
      logGroupName: `/aws/lambda/${name}`,
      logStreamName: 'local',
    };
  }
  return self;
}

function moduleFile(functionName: string, directory: string, moduleName: string): string {
  const file = ['.js', '.mjs', '.cjs'].map((ending) => join(directory, moduleName + ending)).find(existsSync);
  if (file === undefined)
    throw new SetupError(`${functionName}: its asset ${directory} has no ${moduleName}.js. Build the functions again.`);
  return file;
}

/** Throws SetupError if the asset is missing. */
export function assetPath(assetDirectory: string, objectKey: string): string {
  const { name, base } = parse(objectKey);
  const path = [`asset.${name}`, `asset.${base}`].map((entry) => join(assetDirectory, entry)).find(existsSync);
  if (path === undefined)
    throw new SetupError(`The asset ${objectKey} is missing from ${assetDirectory}. Synthesize the stack again.`);
  return path;
}

/** Hides this project's `"type": "module"`, which bundles in Lambda never see. */
export function isolateAssets(assetDirectory: string): void {
  const boundary = join(assetDirectory, 'package.json');
  if (!existsSync(boundary)) writeFileSync(boundary, '{}\n');
}

export function createFunctionLog(dataDir: string, warn: (line: string) => void) {
  const directory = join(dataDir, 'logs');
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  const path = (functionName: string) => join(directory, `${functionName}.log`);

  function fileOf(functionName: string): WriteStream {
    const open = files.get(functionName) ?? createWriteStream(path(functionName), { flags: 'a' });
    files.set(functionName, open);
    return open;
  }

  return {
    path,
    warn,
    follow(functionName: string, ...outputs: readonly Readable[]) {
      const file = fileOf(functionName);
      for (const output of outputs) {
        createInterface({ input: output }).on('line', (line) => {
          const structured = line.startsWith('{') && isObject(parseJson(line));
          file.write(`${structured ? line : JSON.stringify({ timestamp: new Date().toISOString(), message: line })}\n`);
        });
      }
    },
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise<void>((resolve) => file.end(() => resolve()))));
    },
  };
}

export type FunctionLog = ReturnType<typeof createFunctionLog>;
