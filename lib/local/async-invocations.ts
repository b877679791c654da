import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { InvocationError } from './execution-environment.ts';
import type { LocalFunction } from './functions.ts';
import { wholeNumber } from './property-schema.ts';
import type { Queues } from './queues.ts';
import type { AsyncEvent, RunnerState } from './state.ts';
import type { Resource } from './template.ts';

export const eventInvokeConfigProperties = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST'),
  MaximumRetryAttempts: wholeNumber,
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }).optional(),
});

type EventInvokeConfig = Resource<z.output<typeof eventInvokeConfigProperties>>;

const lambdaRetryDelays: readonly number[] = [60_000, 120_000];
const defaultRetries = 2;
const sixHours = 21_600_000;

interface Options {
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly configs: readonly EventInvokeConfig[];
  readonly queues: Queues;
  readonly state: RunnerState;
  readonly warn: (line: string) => void;
  readonly retryDelays?: readonly number[] | undefined;
}

export function createAsyncInvocations({
  functions,
  configs,
  queues,
  state,
  warn,
  retryDelays = lambdaRetryDelays,
}: Options) {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  function schedule(event: AsyncEvent): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        const run = attempt(event)
          .catch(() =>
            warn(`An event for ${event.functionName} could not be recorded; it will be retried at the next start.`),
          )
          .finally(() => running.delete(run));
        running.add(run);
      },
      Math.max(0, event.dueAt - Date.now()),
    );
    timers.add(timer);
  }

  async function attempt(event: AsyncEvent): Promise<void> {
    const target = functions.get(event.functionName);
    if (target === undefined || stopped) return;
    const payload: unknown = JSON.parse(event.payload);
    const result = await target.invoke(payload, { requestId: event.requestId });
    if (result.ok) return state.deleteAsyncEvent(event.requestId);
    if (stopped) return;

    const attempts = event.attempts + 1;
    const settings = configs.find(({ properties }) => properties.FunctionName === event.functionName)?.properties;
    const dueAt = Date.now() + (retryDelays[attempts - 1] ?? retryDelays.at(-1) ?? 0);
    const tooOld = dueAt - event.acceptedAt > sixHours;
    if (attempts <= (settings?.MaximumRetryAttempts ?? defaultRetries) && !tooOld) {
      const again = { ...event, attempts, dueAt };
      state.saveAsyncEvent(again);
      return schedule(again);
    }
    const destination = settings?.DestinationConfig?.OnFailure.Destination;
    if (destination !== undefined) {
      const condition = tooOld ? 'EventAgeExceeded' : 'RetriesExhausted';
      const record = failureRecord({ ...event, attempts }, target, payload, result.error, condition);
      await queues.send(destination, JSON.stringify(record));
    }
    state.deleteAsyncEvent(event.requestId);
  }

  return {
    /** Once this returns, the event survives a crash. */
    accept(functionName: string, payload: unknown) {
      const now = Date.now();
      const event = {
        requestId: randomUUID(),
        functionName,
        payload: JSON.stringify(payload),
        attempts: 0,
        acceptedAt: now,
        dueAt: now,
      };
      state.saveAsyncEvent(event);
      schedule(event);
    },
    resume() {
      for (const event of state.asyncEvents()) schedule(event);
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

export type AsyncInvocations = ReturnType<typeof createAsyncInvocations>;

/** See "Destinations" in the Lambda developer guide. */
function failureRecord(
  event: AsyncEvent,
  target: LocalFunction,
  requestPayload: unknown,
  error: InvocationError,
  condition: string,
) {
  return {
    version: '1.0',
    timestamp: new Date().toISOString(),
    requestContext: {
      requestId: event.requestId,
      functionArn: `${target.arn}:$LATEST`,
      condition,
      approximateInvokeCount: event.attempts,
    },
    requestPayload,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: error,
  };
}
