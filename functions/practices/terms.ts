import type { AcceptedTerms } from '../contract/practices/dashboard-going-live.ts';
import { newAuditEntry, type Audited, type Author } from '../domain/team/audit-entry.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { toIso } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { updatePractice } from '../store/practices/practices.ts';
import { practiceNotFound } from './require-practice.ts';

interface TermsTools {
  readonly database: Database<'practices' | 'auditLog'>;
  readonly randomBytes: RandomBytes;
}

interface Acceptance extends Audited {
  readonly practiceId: string;
  readonly version: string;
}

/** Stores who accepted which version, and when. */
export async function acceptTerms(
  { database, randomBytes }: TermsTools,
  { practiceId, author, version }: Acceptance,
  now: number,
): Promise<AcceptedTerms> {
  const termsAccepted = { version, at: toIso(now), by: nameOf(author) };
  const entry = newAuditEntry(
    { practiceId, author, action: 'terms.accepted', target: practiceId, details: { version } },
    now,
    randomBytes,
  );
  const { row } = await updatePractice(database, practiceId, { set: { termsAccepted } }, entry);
  if (!row) throw practiceNotFound();
  return { termsAccepted };
}

function nameOf(author: Author): string {
  return author.kind === 'user' ? (author.email ?? author.userId) : author.kind;
}
