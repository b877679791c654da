import type { ErasedInvoice, ErasedPatient } from '../contract/sessions/session.ts';
import { Problem } from '../contract/problem.ts';
import { cursorAfter, sessionIdOfCursor } from '../domain/cursor.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { sessionEventIds } from '../domain/webhooks/event.ts';
import { Fault } from '../domain/fault.ts';
import { evidenceKeptUntil } from '../domain/sessions/retention.ts';
import { hasExpired } from '../domain/sessions/session.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { WritingTools } from '../store/database.ts';
import { eraseMetadata } from '../store/webhooks/events.ts';
import { scrubAudited } from '../store/sessions/sessions.ts';
import { idsOfInvoice } from '../store/sessions/session-list.ts';
import { expireSession } from './cancel.ts';
import { findOwnSession } from './find.ts';
import { invalidCursor } from './list.ts';

/** Scrubs the session and its events. The evidence remains. Throws a Problem if the session is open. */
export async function erasePatient(
  tools: WritingTools,
  { practiceId, sessionId, author }: Audited & { readonly practiceId: string; readonly sessionId: string },
  now: number,
): Promise<ErasedPatient> {
  const erased = await erase(tools, { practiceId, sessionId, author }, now);
  if (!('scrubbedAt' in erased))
    throw new Problem('session_not_ended', 'Cancel the session or wait for its outcome. Then send the request again.', {
      extra: { sessionStatus: erased.sessionStatus },
    });
  return erased;
}

const sessionsAtOnce = 10;

interface OfInvoice extends Audited {
  readonly practiceId: string;
  readonly invoiceId: string;
  readonly cursor?: string | undefined;
}

/** Does the same for the next sessions of an invoice. Throws a Problem for a cursor from another list. */
export async function erasePatientOfInvoice(
  tools: WritingTools,
  { practiceId, invoiceId, cursor, author }: OfInvoice,
  now: number,
): Promise<ErasedInvoice> {
  const unfiltered = { statuses: [], returned: false, createdSince: undefined, createdBefore: undefined };
  const filter = { ...unfiltered, practiceId, invoiceId };
  const before = cursor === undefined ? undefined : sessionIdOfCursor(cursor, filter);
  if (cursor !== undefined && before === undefined) throw invalidCursor();
  const found = await idsOfInvoice(tools.database, filter, before, sessionsAtOnce + 1);
  const ids = found.slice(0, sessionsAtOnce);
  const results = await Promise.all(ids.map((sessionId) => erase(tools, { practiceId, sessionId, author }, now)));
  const last = found.length > ids.length ? ids.at(-1) : undefined;
  return {
    erased: results.filter((result) => 'scrubbedAt' in result),
    notEnded: results.filter((result) => 'sessionStatus' in result),
    nextCursor: last === undefined ? null : cursorAfter(last, filter),
  };
}

async function erase(
  tools: WritingTools,
  { practiceId, sessionId, author }: Audited & { readonly practiceId: string; readonly sessionId: string },
  now: number,
): Promise<ErasedPatient | ErasedInvoice['notEnded'][number]> {
  const { database } = tools;
  const found = await findOwnSession(tools, { practiceId, sessionId });
  if (hasExpired(found, now)) await expireSession(tools, { sessionId }, now);
  const entry = newAuditEntry(tools, { practiceId, author, action: 'session.patient_erased', target: sessionId }, now);
  const { row: session } = await scrubAudited(database, sessionId, now, auditPart(database, entry));
  if (!session) throw new Fault(`session ${sessionId} vanished`);
  if (session.scrubbedAt === undefined) return { sessionId, sessionStatus: session.status };
  await eraseMetadata(database, sessionEventIds(session));
  return { sessionId, scrubbedAt: session.scrubbedAt, evidenceKeptUntil: evidenceKeptUntil(session) };
}
