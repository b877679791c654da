import { AsyncLocalStorage } from 'node:async_hooks';
import { second } from './domain/time.ts';
import { Unavailable } from './domain/fault.ts';

const [connectionTimeout, requestTimeout, maxAttempts] = [1 * second, 2 * second, 3];

/** The options of every AWS client: by default, the SDK waits forever. */
export const awsClient = {
  retryMode: 'standard',
  maxAttempts,
  requestHandler: {
    connectionTimeout,
    requestTimeout,
    // Without this, the SDK only warns.
    throwOnRequestTimeout: true,
    // The request timeout does not cover a response that stops midway.
    socketTimeout: requestTimeout,
  },
  extensions: [{ configure: endRequestsInTime }],
};

/** After throttling, the SDK waits up to 1 s before the second attempt, and up to 2 s before the third. */
const longestPauses = [1 * second, 2 * second] as const;

/** Milliseconds that one call can take with its retries. A function's timeout must be longer. */
export const longestCall = maxAttempts * requestTimeout + longestPauses[0] + longestPauses[1];

/** Time to keep after the last request: the SDK may still wait for a retry that can no longer start. */
const margin = longestPauses[1] + 0.5 * second;

const requestsEnd = new AsyncLocalStorage<number>();

/** Ends every AWS request in `work` before `remaining` milliseconds have passed. Starting one too late throws Unavailable. */
export function withinTime<Result>(remaining: number, work: () => Promise<Result>): Promise<Result> {
  return requestsEnd.run(performance.now() + remaining - margin, work);
}

/** Milliseconds that a request may take now. Throws Unavailable if the invocation's time is used up. */
function timeForRequest(): number {
  const left = (requestsEnd.getStore() ?? Infinity) - performance.now();
  if (left <= 0) throw new Unavailable('the time of the invocation is used up');
  return Math.min(left, requestTimeout);
}

interface RequestHandler {
  handle(request: never, options?: { readonly requestTimeout?: number }): Promise<unknown>;
}

function endRequestsInTime(client: { httpHandler(): RequestHandler }): void {
  const handler = client.httpHandler();
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => handle(request, { ...options, requestTimeout: timeForRequest() });
}
