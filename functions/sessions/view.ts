import type { Evidence } from '../domain/payments/evidence.ts';
import type { Locale } from '../domain/locale.ts';
import type { Session } from '../domain/sessions/session.ts';
import { patientView } from '../domain/sessions/session-view.ts';
import { getEvidence } from '../store/payments/authorizations.ts';
import type { ModeTools, ReadingTools } from '../store/database.ts';
import { findInvoiceBlocker } from './blocks.ts';
import type { LinkHolder } from './find.ts';

interface ViewInput extends LinkHolder {
  readonly locale: Locale;
  /** Passed if already read: evidence never changes. */
  readonly evidence?: Evidence | undefined;
}

export async function viewSession(
  { database, mode }: ModeTools,
  { session, practice, locale, evidence: known }: ViewInput,
  now: number,
) {
  const [blocker, evidence] = await Promise.all([
    findInvoiceBlocker({ database }, session, practice),
    known ?? findEvidence({ database }, session),
  ]);
  return patientView(session, practice, { mode, locale, now, blockedBy: blocker?.blockedBy, evidence });
}

/** The evidence that the receipt quotes. Undefined before the authorization, and once the session is scrubbed. */
export async function findEvidence(
  { database }: ReadingTools,
  { sessionId, processingAt, scrubbedAt }: Session,
): Promise<Evidence | undefined> {
  return processingAt === undefined || scrubbedAt !== undefined ? undefined : getEvidence(database, sessionId);
}
