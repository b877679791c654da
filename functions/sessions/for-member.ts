import { allows, type Role } from '../domain/role.ts';
import type { Session } from '../domain/session.ts';
import type { SessionBlock } from '../domain/session-block.ts';
import { sessionStatus } from '../domain/session-status.ts';

/** The session's status, with the patient's name if the role may see it. */
export function memberSession(session: Session, role: Role, blockedBy: SessionBlock | undefined, now: number) {
  return {
    ...sessionStatus(session, blockedBy, now),
    ...(allows(role, 'staff') && session.patient && { patient: session.patient }),
  };
}
