/** Does not parse its messages: loading zod would double its start time. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

export interface Invocation {
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly context: Readonly<Record<string, string>>;
}

const { file, handlerName }: { file: string; handlerName: string } = workerData;

try {
  const module: unknown = createRequire(file)(file);
  const handler: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, handlerName) : undefined;
  if (typeof handler !== 'function') throw new Error(`${handlerName} is undefined or not exported`);

  parentPort?.on('message', async ({ event, deadline, context }: Invocation) => {
    try {
      const result: unknown = await handler(JSON.parse(event), {
        ...context,
        callbackWaitsForEmptyEventLoop: true,
        getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
      });
      parentPort?.postMessage({ kind: 'result', payload: JSON.stringify(result ?? null) });
    } catch (error) {
      console.error(error);
      parentPort?.postMessage({ kind: 'error', error: describe(error) });
    }
  });
  parentPort?.postMessage({ kind: 'ready' });
} catch (error) {
  console.error(error);
  parentPort?.postMessage({ kind: 'broken', error: describe(error) });
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}
