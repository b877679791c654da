import { Problem } from '../contract/problem.ts';
import { sha256 } from '../domain/identifier.ts';
import { getEvidence } from '../store/payments/authorizations.ts';
import type { Database } from '../store/database.ts';

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
