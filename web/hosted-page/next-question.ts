import type { SessionPage } from './payment-page.ts';

/**
 * How long, in milliseconds, a payment whose answer was lost is looked for: it may reach the server late, from a phone that changes networks.
 * Longer than the API's own 30 seconds.
 */
export const checkingTime = 40_000;

/** The longest wait that `setTimeout` takes. */
const longestWait = 2 ** 31 - 1;

/** Milliseconds until the next question about what may change at any moment: prompt for a minute, then ever calmer. */
export function pollDelay(pollsSoFar: number): number {
  if (pollsSoFar < 30) return 2_000;
  return pollsSoFar < 60 ? 10_000 : 60_000;
}

/** Milliseconds until the server should be asked again how the session stands; undefined where that cannot change, or where the patient waits for an answer. */
export function untilNextQuestion(
  { session, busy, notice }: SessionPage,
  pollsSoFar: number,
  now: number,
): number | undefined {
  if (notice === 'checking_payment') return 2_000;
  if (busy) return undefined;
  switch (session.status) {
    case 'pending': {
      const mayChangeByItself = session.blockedBy !== undefined || notice === 'payment_not_seen';
      const left = Date.parse(session.expiresAt) - now;
      // The server's clock decides: a page whose clock runs ahead asks every so often, not without pause.
      const untilExpired = left > 0 ? left + 500 : 15_000;
      return Math.min(untilExpired, mayChangeByItself ? pollDelay(pollsSoFar) : longestWait);
    }
    case 'processing':
      return pollDelay(pollsSoFar);
    case 'succeeded':
      // The bank may take a payment back weeks later, but only once.
      return session.return ? undefined : 60_000;
    case 'failed':
    case 'cancelled':
      return undefined;
    default: {
      const never: never = session.status;
      return never;
    }
  }
}
