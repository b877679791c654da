import { newAuditEntry, type AuditAction, type Audited, type NewEntry } from '../domain/team/audit-entry.ts';
import type { Session } from '../domain/sessions/session.ts';
import { auditPart, findAuditEntry } from '../store/team/audit-log.ts';
import type { Database, WritingTools } from '../store/database.ts';
import type { Part } from '../store/writes.ts';

type Subject = Pick<Session, 'sessionId' | 'invoiceId'>;

/** Present if a person makes the change. Practice API calls write no audit entry. */
export interface SessionAudit {
  readonly audit?: ((action: AuditAction, session: Subject, details?: NewEntry['details']) => Part) | undefined;
}

/** Makes `createSession` and `cancelSession` write an audit entry with their change. */
export function auditedBy(
  { database, randomBytes }: WritingTools<'auditLog'>,
  { practiceId, author }: { readonly practiceId: string } & Audited,
  now: number,
): Required<SessionAudit> {
  return {
    audit(action, { sessionId: target, invoiceId }, more) {
      const details = { invoiceId, ...more };
      return auditPart(database, newAuditEntry({ practiceId, author, action, target, details }, now, randomBytes));
    },
  };
}

/** Why an admin asked for the last refund. Only the audit log keeps it. */
export async function findRefundReason(
  { database }: { readonly database: Database<'auditLog'> },
  { sessionId, practiceId, refundOrder }: Session,
): Promise<string | undefined> {
  if (refundOrder?.at === undefined) return undefined;
  const written = { action: 'session.refunded', target: sessionId, at: refundOrder.at } as const;
  return (await findAuditEntry(database, practiceId, written))?.details?.['reason'];
}
