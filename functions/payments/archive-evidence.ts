import { Fault } from '../domain/fault.ts';
import type { EvidenceArchive } from '../messages/payments/evidence-archive.ts';
import { getEvidence } from '../store/payments/authorizations.ts';
import type { Database } from '../store/database.ts';
import { Problem } from '../contract/problem.ts';
import { sha256 } from '../domain/identifier.ts';

export interface ArchiveTools {
  readonly database: Database<'authorizations'>;
  readonly archive: EvidenceArchive;
}

/** Copies a session's evidence to the archive. Throws a Fault if there is none. */
export async function archiveEvidence(
  { database, archive }: ArchiveTools,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const evidence = await getEvidence(database, sessionId);
  if (!evidence) throw new Fault(`the evidence of ${sessionId} is missing`);
  await archive.put(evidence);
}

/** The evidence, and whether its text still matches the hash that the patient accepted. */
export async function getCheckedEvidence(
  { database }: { readonly database: Database<'authorizations'> },
  { sessionId }: { readonly sessionId: string },
) {
  const evidence = await getEvidence(database, sessionId);
  if (!evidence)
    throw new Problem('authorization_not_found', 'No debit was authorized in this session. Check the session id.');
  return { ...evidence, textMatchesAuthorizationId: sha256(evidence.text) === evidence.authorizationId };
}
