/**
 * JavaScript, because Node would load a compiler to strip the types in each worker, and without zod for the same reason:
 * either would double the start of a worker.
 */
import { createRequire, enableCompileCache, flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {import('./execution-environment.ts').WorkerData} */
const { file, handlerName, compileCache } = workerData;

enableCompileCache(compileCache);
let isCompiled = false;

try {
  /** @type {unknown} */
  const module = createRequire(file)(file);
  /** @type {unknown} */
  const handler = typeof module === 'object' && module !== null ? Reflect.get(module, handlerName) : undefined;
  if (typeof handler !== 'function') throw new Error(`${handlerName} is undefined or not exported`);

  /** @param {import('./execution-environment.ts').Invocation} invocation */
  const invoke = async ({ event, deadline, context }) => {
    try {
      /** @type {unknown} */
      const result = await handler(JSON.parse(event), {
        ...context,
        callbackWaitsForEmptyEventLoop: true,
        getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
      });
      parentPort?.postMessage({ kind: 'result', payload: JSON.stringify(result ?? null) });
    } catch (error) {
      console.error(error);
      parentPort?.postMessage({ kind: 'error', error: describe(error) });
    }
    // Now the code that an event needs is compiled, too.
    if (!isCompiled) flushCompileCache();
    isCompiled = true;
  };
  parentPort?.on('message', invoke);
  parentPort?.postMessage({ kind: 'ready' });
} catch (error) {
  console.error(error);
  parentPort?.postMessage({ kind: 'broken', error: describe(error) });
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}
