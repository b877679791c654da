import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { UnreachablePage } from './page-state.ts';
import type { Problem } from './patient-api.ts';

export function mayHaveSucceeded(problem: Problem | undefined): boolean {
  return problem === undefined || problem.code === 'unreachable' || isOurs(problem);
}

function isOurs({ code }: Pick<Problem, 'code'>): boolean {
  return code === 'internal_error' || code === 'temporarily_unavailable';
}

/** Problems that leave the session as it was. After any other, the page asks the server. */
export function isBankRefusal({ code }: Problem): boolean {
  return code === 'bank_connection_failed' || code === 'bank_connection_locked' || code === 'bank_unavailable';
}

export function afterBankRefusal(session: SessionView, { code, attemptsRemaining }: Problem): SessionView {
  const remaining = code === 'bank_connection_locked' ? 0 : attemptsRemaining;
  return remaining === undefined ? session : { ...session, bankConnectionAttemptsRemaining: remaining };
}

export function retryTime({ code, retryAfter }: Problem): Pick<UnreachablePage, 'triesAgainIn'> {
  return code === 'busy' || isOurs({ code }) ? { triesAgainIn: Math.min(retryAfter || 5_000, 60_000) } : {};
}
