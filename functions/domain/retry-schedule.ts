import { hour, minute, second } from './time.ts';

/** `all` retries every response but 2xx and 410; `standard` only 408, 425, 429 and 5xx. */
export const retryPolicies = ['standard', 'all'] as const;
export type RetryPolicy = (typeof retryPolicies)[number];

/** A random number in [0, 1), for jitter. */
export type Random = () => number;

/** Waits after each failed webhook attempt: ten attempts over 75 h 35 m 5 s, the Standard Webhooks example. */
export const webhookWaits = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** Waits after each unknown result from the processor; the last one repeats. */
export const debitWaits = [30 * second, 2 * minute, 10 * minute, 1 * hour] as const;

/** The longest delay SQS supports, in milliseconds. The sweep handles longer waits. */
export const maximumTicketDelay = 900 * second;

/**
 * Milliseconds from failed attempt number `attemptNumber` (1, 2, …) to the next; undefined after the last.
 * Jitter adds up to a tenth of the wait (2 s to 15 min), so a retry is never early. `random` is in [0, 1).
 */
export function webhookWait(attemptNumber: number, random: number): number | undefined {
  const base = webhookWaits[attemptNumber - 1];
  if (base === undefined) return undefined;
  return base + Math.floor(random * Math.min(Math.max(2 * second, base / 10), 15 * minute));
}

/** Milliseconds to wait after submission number `attempts` (1, 2, …) had an unknown result. */
export function debitWait(attempts: number): number {
  return debitWaits[Math.min(attempts, debitWaits.length) - 1] ?? debitWaits[0];
}
