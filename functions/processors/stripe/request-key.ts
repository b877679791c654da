import { minute } from '../../domain/time.ts';

/** Stripe repeats its answer to a key for at least a day, also an error: after one, the key must change. */
export function requestKey(call: string, sessionId: string, failedCalls = 0): string {
  return failedCalls === 0 ? `${call}:${sessionId}` : `${call}:${sessionId}:${failedCalls}`;
}

/** For what may exist twice: an error stops the patient for a minute only. */
export function minuteKey(call: string, subject: string, now: number): string {
  return `${call}:${subject}:${Math.floor(now / minute)}`;
}
