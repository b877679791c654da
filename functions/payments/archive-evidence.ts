import { Fault } from '../domain/fault.ts';
import type { EvidenceArchive } from '../messages/payments/evidence-archive.ts';
import { getEvidence } from '../store/payments/authorizations.ts';
import type { Database } from '../store/database.ts';

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
