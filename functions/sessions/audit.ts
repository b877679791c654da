import type { Creator } from '../contract/sessions/dashboard-sessions.ts';
import type { Session } from '../domain/sessions/session.ts';
import { newAuditEntry, type AuditAction, type Audited, type NewEntry } from '../domain/team/audit-entry.ts';
import type { ReadingTools, WritingTools } from '../store/database.ts';
import { getApiKey } from '../store/practices/api-keys.ts';
import { auditPart, findAuditEntry } from '../store/team/audit-log.ts';
import type { Part } from '../store/writes.ts';

type Subject = Pick<Session, 'sessionId' | 'invoiceId'>;

/** Present if a person makes the change. Practice API calls write no audit entry. */
export interface SessionAudit {
  readonly audit?: ((action: AuditAction, session: Subject, details?: NewEntry['details']) => Part) | undefined;
}

/** Makes a use case write an audit entry along with its change to the session. */
export function auditedBy(
  { database, randomBytes }: WritingTools,
  { practiceId, author }: { readonly practiceId: string } & Audited,
  now: number,
): Required<SessionAudit> {
  return {
    audit(action, { sessionId: target, invoiceId }, more) {
      const details = { invoiceId, ...more };
      return auditPart(database, newAuditEntry({ randomBytes }, { practiceId, author, action, target, details }, now));
    },
  };
}

/** Why an admin asked for the last refund. Only the audit log keeps it. */
export async function findRefundReason(
  { database }: ReadingTools,
  { sessionId, practiceId, refundOrder }: Session,
): Promise<string | undefined> {
  if (!refundOrder) return undefined;
  const written = { action: 'session.refunded', target: sessionId, at: refundOrder.at } as const;
  return (await findAuditEntry(database, practiceId, written))?.details?.['reason'];
}

/** Undefined if it is not known. */
export async function findCreator(
  { database }: ReadingTools,
  { sessionId, practiceId, createdAt, via: keyId }: Session,
): Promise<Creator | undefined> {
  if (keyId !== undefined) {
    const key = await getApiKey(database, keyId);
    return key && { kind: 'api_key', keyId, name: key.name };
  }
  const written = { action: 'session.created', target: sessionId, at: Date.parse(createdAt) } as const;
  const author = (await findAuditEntry(database, practiceId, written))?.author;
  return author?.kind === 'user' ? { kind: 'user', email: author.email } : undefined;
}
