import { second } from './domain/time.ts';

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
} as const;

/** The SDK waits up to 0.1 s and 0.2 s between attempts, or 0.5 s and 1 s after throttling. */
const backoff = 1.5 * second;

/** In milliseconds: what one call can take, with its retries. Functions live longer. */
export const longestCall = maxAttempts * requestTimeout + backoff;
