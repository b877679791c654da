import type { ErasedPatient } from '../contract/sessions/session.ts';
import { Problem } from '../contract/problem.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { sessionEventIds } from '../domain/webhooks/event.ts';
import { Fault } from '../domain/fault.ts';
import { evidenceKeptUntil } from '../domain/sessions/retention.ts';
import { hasExpired } from '../domain/sessions/session.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { WritingTools } from '../store/database.ts';
import { eraseMetadata } from '../store/webhooks/events.ts';
import { scrubAudited } from '../store/sessions/scrubbing.ts';
import { expireSession } from './cancel.ts';
import { findOwnSession } from './find.ts';

type EraseTools = WritingTools<'sessions' | 'events' | 'auditLog'>;

/** Scrubs the session and its events. The evidence remains. Throws a Problem if the session is open. */
export async function erasePatient(
  tools: EraseTools,
  { practiceId, sessionId, author }: Audited & { readonly practiceId: string; readonly sessionId: string },
  now: number,
): Promise<ErasedPatient> {
  const { database, randomBytes } = tools;
  const found = await findOwnSession(tools, { practiceId, sessionId });
  if (hasExpired(found, now)) await expireSession(tools, { sessionId }, now);
  const entry = newAuditEntry(
    { practiceId, author, action: 'session.patient_erased', target: sessionId },
    now,
    randomBytes,
  );
  const { row: session } = await scrubAudited(database, sessionId, now, auditPart(database, entry));
  if (!session) throw new Fault(`session ${sessionId} vanished`);
  if (session.scrubbedAt === undefined)
    throw new Problem('session_not_ended', 'Cancel the session or wait for its outcome. Then send the request again.', {
      extra: { sessionStatus: session.status },
    });
  await eraseMetadata(database, sessionEventIds(session));
  return { sessionId, scrubbedAt: session.scrubbedAt, evidenceKeptUntil: evidenceKeptUntil(session) };
}
