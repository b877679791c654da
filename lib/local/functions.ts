import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { assetPath } from './assets.ts';
import { executionEnvironment, type ExecutionEnvironment, type InvocationError } from './execution-environment.ts';
import type { FunctionLog } from './function-log.ts';
import { inert, tags, text, wholeNumber } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';

export const functionProperties = z.strictObject({
  FunctionName: text,
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Environment: z.optional(z.strictObject({ Variables: z.record(z.string(), z.string()) })),
  MemorySize: wholeNumber,
  Timeout: wholeNumber,
  ReservedConcurrentExecutions: wholeNumber,
  DeadLetterConfig: z.optional(z.strictObject({ TargetArn: z.string() })),
  Architectures: inert('bundles are plain JavaScript'),
  Role: inert('nothing here checks permissions'),
  LoggingConfig: inert('logs go to a file per function'),
  Description: inert('for readers'),
  TracingConfig: inert('there is no X-Ray here'),
  RecursiveLoop: inert('a guard of AWS'),
  RuntimeManagementConfig: inert('the Node of this project is the runtime'),
  Tags: tags,
});

export type FunctionResource = Resource<z.output<typeof functionProperties>>;

export type InvocationResult =
  { readonly ok: true; readonly payload: unknown } | { readonly ok: false; readonly error: InvocationError };

/** Enough for a laptop; further invocations wait in line, where AWS would start a thousand. */
const mostEnvironments = 10;
const defaultTimeoutSeconds = 3;
const defaultMemoryMegabytes = 128;

export interface LocalFunction {
  readonly name: string;
  readonly arn: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Waits for a free environment, starting another where all are busy. Never rejects: a fault is a result. */
  invoke(event: unknown, requestId?: string): Promise<InvocationResult>;
  stop(): Promise<void>;
}

/** What was run, with what, and for how long it was waited for. */
export interface FinishedInvocation {
  readonly target: LocalFunction;
  readonly event: unknown;
  readonly milliseconds: number;
}

export interface FunctionSettings {
  readonly assetDirectory: string;
  readonly arn: string;
  readonly baseEnvironment: Readonly<Record<string, string>>;
  readonly log: FunctionLog;
  readonly onInvocation?: ((finished: FinishedInvocation) => void) | undefined;
}

/** Runs a function's bundle in worker threads: one event at a time in each, idle ones used again. Throws SetupError where its code is missing. */
export function createFunction({ name, properties }: FunctionResource, settings: FunctionSettings): LocalFunction {
  const [moduleName = '', handlerName = ''] = properties.Handler.split(/\.(?=[^.]*$)/);
  const directory = assetPath(settings.assetDirectory, properties.Code.S3Key);
  const file = moduleFile(name, directory, moduleName);
  const memory = properties.MemorySize ?? defaultMemoryMegabytes;
  const timeout = (properties.Timeout ?? defaultTimeoutSeconds) * 1000;
  const limit = Math.min(properties.ReservedConcurrentExecutions ?? mostEnvironments, mostEnvironments);
  const environment = {
    ...settings.baseEnvironment,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: directory,
    _HANDLER: properties.Handler,
    ...properties.Environment?.Variables,
  };

  const idle: ExecutionEnvironment[] = [];
  const all = new Set<ExecutionEnvironment>();
  const waiting: (() => void)[] = [];
  let stopped = false;

  async function acquire(): Promise<ExecutionEnvironment> {
    for (;;) {
      const free = idle.pop();
      if (free !== undefined) return free;
      if (all.size < limit) {
        const started = executionEnvironment({ file, handlerName, environment, memory, log: settings.log });
        all.add(started);
        return started;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  function release(used: ExecutionEnvironment): void {
    if (used.alive && !stopped) idle.push(used);
    else all.delete(used);
    waiting.shift()?.();
  }

  const self: LocalFunction = {
    name,
    arn: settings.arn,
    environment,
    async invoke(event, requestId = randomUUID()) {
      const used = await acquire();
      const startedAt = performance.now();
      try {
        const result = await used.run(event, {
          timeout,
          context: {
            awsRequestId: requestId,
            functionName: name,
            functionVersion: '$LATEST',
            invokedFunctionArn: settings.arn,
            memoryLimitInMB: String(memory),
            logGroupName: `/aws/lambda/${name}`,
            logStreamName: 'local',
          },
        });
        if (!result.ok && !stopped)
          settings.log.warn(`${name} failed with ${result.error.errorType}; see ${settings.log.path(name)}`);
        return result;
      } finally {
        release(used);
        settings.onInvocation?.({ target: self, event, milliseconds: performance.now() - startedAt });
      }
    },
    async stop() {
      stopped = true;
      await Promise.all([...all].map((started) => started.stop()));
    },
  };
  return self;
}

function moduleFile(functionName: string, directory: string, moduleName: string): string {
  const file = ['.js', '.mjs', '.cjs'].map((ending) => join(directory, moduleName + ending)).find(existsSync);
  if (file === undefined)
    throw new SetupError(`${functionName}: its asset ${directory} has no ${moduleName}.js. Build the functions again.`);
  return file;
}
