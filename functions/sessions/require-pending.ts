import { Problem } from '../contract/problem.ts';
import { hasExpired, type Session } from '../domain/sessions/session.ts';

/** Throws a Problem if a session has expired or ended. */
export function requirePending(current: Session, now: number): void {
  if (hasExpired(current, now)) throw new Problem('session_expired', 'Ask the practice for a new link.');
  if (current.status !== 'pending') {
    throw new Problem('session_closed', 'Load the session again to see its status.', {
      extra: { sessionStatus: current.status },
    });
  }
}
