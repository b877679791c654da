import { hour, minute, second } from '../time.ts';

/** `all` retries everything but 2xx and 410; `standard` retries only 408, 425, 429 and 5xx. */
export const retryPolicies = ['standard', 'all'] as const;
export type RetryPolicy = (typeof retryPolicies)[number];

/** Returns a number in [0, 1). */
export type Random = () => number;

/** Ten attempts over 75 h 35 m 5 s: the Standard Webhooks example. */
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

export const debitWaits = [30 * second, 2 * minute, 10 * minute, 1 * hour] as const;

/** SQS's limit. The sweep handles longer waits. */
export const maximumTicketDelay = 900 * second;

/** `attemptNumber` starts at 1. Jitter only adds, so a retry is never early. */
export function webhookWait(attemptNumber: number, random: number): number | undefined {
  const base = webhookWaits[attemptNumber - 1];
  if (base === undefined) return undefined;
  return base + Math.floor(random * Math.min(Math.max(2 * second, base / 10), 15 * minute));
}

export function debitWait(attempts: number): number {
  return debitWaits[Math.min(attempts, debitWaits.length) - 1] ?? debitWaits[0];
}
