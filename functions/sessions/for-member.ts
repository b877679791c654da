import { allows, type Role } from '../domain/team/role.ts';
import type { Session } from '../domain/sessions/session.ts';
import type { SessionBlock } from '../domain/sessions/session-block.ts';
import { sessionStatus } from '../domain/sessions/session-status.ts';

/** The session's status, with the patient's name if the role may see it. */
export function memberSession(session: Session, role: Role, blockedBy: SessionBlock | undefined, now: number) {
  return {
    ...sessionStatus(session, blockedBy, now),
    ...(allows(role, 'staff') && session.patient && { patient: session.patient }),
  };
}
