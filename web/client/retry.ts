import { PaymentConnectionError, PaymentProblem } from './problems.ts';

const firstWait = 250;
const longestWait = 8_000;
const longestRetryAfter = 60_000;

/** Milliseconds before the next attempt: exponential backoff with full jitter, after `Retry-After`. Undefined: give up. */
export function retryWait(error: unknown, attempt: number, random: number): number | undefined {
  if (!isTransient(error)) return undefined;
  const backoff = random * Math.min(longestWait, firstWait * 2 ** (attempt - 1));
  const { retryAfter = 0 } = error instanceof PaymentProblem ? error : {};
  return retryAfter > longestRetryAfter ? undefined : retryAfter + backoff;
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof PaymentProblem) return error.status === 429 || error.status >= 500;
  return error instanceof PaymentConnectionError;
}

/** Rejects as soon as the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
