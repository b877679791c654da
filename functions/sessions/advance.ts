import { Problem } from '../contract/problem.ts';
import type { Session } from '../domain/sessions/session.ts';
import { advanceOutcome, type AdvanceTools } from '../payments/advance.ts';
import { getExistingSession } from '../store/sessions/sessions.ts';

/** Performs the sandbox bank's next outcome now. Throws a Problem if there is none left. */
export async function advanceSession(tools: AdvanceTools, session: Session, now: number): Promise<Session> {
  if (!(await advanceOutcome(tools, session, now)))
    throw new Problem('no_outcome_pending', "Get the session's status: its bank has nothing more to report.");
  return getExistingSession(tools.database, session.sessionId);
}
