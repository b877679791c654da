import { minute } from '../../domain/time.ts';

/** Stripe replays its response to a key, even an error, for at least a day: after an error, the key must change. */
export function requestKey(call: string, sessionId: string, failedCalls = 0): string {
  return failedCalls === 0 ? `${call}:${sessionId}` : `${call}:${sessionId}:${failedCalls}`;
}

/** For objects that may exist twice. Changes every minute, so that a replayed error stops the patient only briefly. */
export function minuteKey(call: string, subject: string, now: number): string {
  return `${call}:${subject}:${Math.floor(now / minute)}`;
}
