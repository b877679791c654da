import { minute } from '../../domain/time.ts';

/** Stripe repeats its answer to a key for at least a day, also a server error: after one, the key must change. */
export function requestKey(call: string, sessionId: string, serverErrors = 0): string {
  return serverErrors === 0 ? `${call}:${sessionId}` : `${call}:${sessionId}:${serverErrors}`;
}

/** For what may exist twice: a server error stops the patient for a minute only. */
export function minuteKey(call: string, subject: string, now: number): string {
  return `${call}:${subject}:${Math.floor(now / minute)}`;
}
