import { Problem } from '../contract/problem.ts';
import { equalInConstantTime, hashOfToken, isSessionId, sessionIdOfToken } from '../domain/identifier.ts';
import { takesPayments, type Practice } from '../domain/practices/practice.ts';
import { hasExpired, type Session } from '../domain/sessions/session.ts';
import type { ReadingTools } from '../store/database.ts';
import type { PatientWrite } from '../store/sessions/patient-writes.ts';
import { getSession } from '../store/sessions/sessions.ts';
import { allows, type Role } from '../domain/team/member.ts';
import { type SessionBlock, sessionStatus } from '../domain/sessions/session-status.ts';

/** Tells a practice what to do when its request needs payments to be active. */
export const askToResumePayments = 'Ask whoever operates the payment service to resume payments.';

/** Throws a Problem for the patient if the practice is suspended or closed, or the processor takes no debits for it. */
export function requireActive(practice: Practice): void {
  if (!takesPayments(practice)) throw new Problem('practice_suspended', 'Contact the practice for another way to pay.');
}

/** Throws a Problem if a session has expired or ended. */
export function requirePending(current: Session, now: number): void {
  if (hasExpired(current, now)) throw new Problem('session_expired', 'Ask the practice for a new link.');
  if (current.status !== 'pending') {
    throw new Problem('session_closed', 'Load the session again to see its status.', {
      extra: { sessionStatus: current.status },
    });
  }
}

/** Throws a Problem for another practice's session, just as for one that does not exist. */
export async function findOwnSession(
  { database }: ReadingTools,
  { practiceId, sessionId }: { practiceId: string; sessionId: string },
): Promise<Session> {
  const found = isSessionId(sessionId) ? await getSession(database, sessionId) : undefined;
  if (found?.practiceId !== practiceId) throw new Problem('session_not_found', 'Check the session id.');
  return found;
}

export interface LinkHolder {
  readonly session: Session;
  readonly practice: Practice;
}

/** Throws a Problem for an unknown token. */
export async function findByToken({ database }: ReadingTools, token: string | undefined): Promise<Session> {
  const sessionId = token && sessionIdOfToken(token);
  const session = sessionId ? await getSession(database, sessionId) : undefined;
  if (!token || !session || !equalInConstantTime(session.tokenHash, hashOfToken(token))) throw linkNotFound();
  return session;
}

/** Throws a Problem if the link was replaced before the write. */
export function requireLink(write: PatientWrite): NonNullable<PatientWrite> {
  if (!write) throw linkNotFound();
  return write;
}

export function linkNotFound(): Problem {
  return new Problem('link_not_found', 'Make sure you opened the whole link, or ask the practice for a new one.');
}

/** The session's status, with the patient's name if the role may see it. */
export function memberSession(session: Session, role: Role, blockedBy: SessionBlock | undefined, now: number) {
  return {
    ...sessionStatus(session, blockedBy, now),
    ...(allows(role, 'staff') && session.patient && { patient: session.patient }),
  };
}
