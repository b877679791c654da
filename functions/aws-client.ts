import { AsyncLocalStorage } from 'node:async_hooks';
import { second } from './domain/time.ts';
import { Unavailable } from './domain/unavailable.ts';

const [connectionTimeout, requestTimeout, maxAttempts] = [1 * second, 2 * second, 3];

/** For every client of AWS: by default the SDK waits forever. */
export const awsClient = {
  retryMode: 'standard',
  maxAttempts,
  requestHandler: {
    connectionTimeout,
    requestTimeout,
    // Otherwise it only warns.
    throwOnRequestTimeout: true,
    // For an answer that stops in its middle, which the request's time-out does not cover.
    socketTimeout: requestTimeout,
  },
  extensions: [{ configure: endRequestsInTime }],
};

/** The SDK waits up to 0.1 s and 0.2 s between attempts, or 0.5 s and 1 s after throttling. */
const backoff = 1.5 * second;

/** In milliseconds: what one call can take, with its retries. Functions live longer. */
export const longestCall = maxAttempts * requestTimeout + backoff;

/** For the answer. */
const margin = 1.5 * second;

const requestsEnd = new AsyncLocalStorage<number>();

/** Requests to AWS within `work` end before its time, in milliseconds, does. Those that would begin later throw. */
export function withinTime<Result>(remaining: number, work: () => Promise<Result>): Promise<Result> {
  return requestsEnd.run(performance.now() + remaining - margin, work);
}

interface RequestHandler {
  handle(request: never, options?: { readonly requestTimeout?: number }): Promise<unknown>;
}

function endRequestsInTime(client: { httpHandler(): RequestHandler }): void {
  const handler = client.httpHandler();
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const left = (requestsEnd.getStore() ?? Infinity) - performance.now();
    if (left <= 0) throw new Unavailable('the time of the invocation is used up');
    return handle(request, { ...options, requestTimeout: Math.min(left, requestTimeout) });
  };
}
