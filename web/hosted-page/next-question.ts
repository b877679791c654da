import type { PageState, SessionPage } from './page-state.ts';

/**
 * Milliseconds to keep looking for a payment whose answer was lost. A phone that switches networks can deliver it
 * late, so this is longer than the API's own 30 seconds.
 */
export const checkingTime = 40_000;

const maximumWait = 2 ** 31 - 1;

/** Milliseconds until the next poll of something that can change at any moment: frequent for a minute, then less so. */
function pollDelay(pollsSoFar: number): number {
  if (pollsSoFar < 30) return 2_000;
  return pollsSoFar < 60 ? 10_000 : 60_000;
}

/**
 * Milliseconds until the page asks the server again; undefined if nothing can change, or if the patient has to act
 * or is waiting for an answer. `serverNow` is in milliseconds since 1970.
 */
export function untilNextQuestion(
  state: PageState | undefined,
  pollsSoFar: number,
  serverNow: number,
): number | undefined {
  if (state?.kind === 'session') return untilSessionChanges(state, pollsSoFar, serverNow);
  if (state?.kind !== 'unreachable' || state.busy || state.triesAgainIn === undefined) return undefined;
  return Math.max(state.triesAgainIn, pollDelay(pollsSoFar));
}

function untilSessionChanges(
  { session, busy, notice }: SessionPage,
  pollsSoFar: number,
  serverNow: number,
): number | undefined {
  if (notice === 'checking_payment') return 2_000;
  if (busy) return undefined;
  switch (session.status) {
    case 'pending': {
      const mayChangeByItself = session.blockedBy !== undefined || notice === 'payment_not_seen';
      const left = Date.parse(session.expiresAt) - serverNow;
      // Only the server expires a session: a page whose clock is ahead must not ask in a tight loop.
      const untilExpired = left > 0 ? left + 500 : 15_000;
      return Math.min(untilExpired, mayChangeByItself ? pollDelay(pollsSoFar) : maximumWait);
    }
    case 'processing':
      return pollDelay(pollsSoFar);
    case 'succeeded':
      // A bank may return a payment weeks later, but only once.
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
