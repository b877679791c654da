import { Problem } from '../contract/problem.ts';
import type { DebitReferences } from '../domain/payments/debit.ts';
import { sha256 } from '../domain/identifier.ts';
import type { Session } from '../domain/sessions/session.ts';
import { logFault } from '../log.ts';
import type { ReferenceFinder } from '../processors/processor.ts';
import { getEvidence } from '../store/payments/authorizations.ts';
import type { ReadingTools } from '../store/database.ts';

interface ProofTools extends ReadingTools {
  readonly processor: ReferenceFinder;
}

/** The evidence, and whether its text still matches the hash that the patient accepted. Throws a Problem if there is none. */
export async function getCheckedEvidence({ database }: ReadingTools, { sessionId }: { readonly sessionId: string }) {
  const evidence = await getEvidence(database, sessionId);
  if (!evidence)
    throw new Problem('authorization_not_found', 'No debit was authorized in this session. Check the session id.');
  return { ...evidence, textMatchesAuthorizationId: sha256(evidence.text) === evidence.authorizationId };
}

/** The evidence with what a bank can find the debit by. */
export async function getProof(tools: ProofTools, { sessionId, debit }: Session) {
  const evidence = await getCheckedEvidence(tools, { sessionId });
  const { processorAccount } = evidence;
  const references = debit ? await referencesOf(tools, { sessionId, debitId: debit.debitId, processorAccount }) : {};
  return { ...evidence, references };
}

/** The proof is complete without them, and a bank may be waiting for it. */
async function referencesOf(
  { processor }: ProofTools,
  debit: { readonly sessionId: string; readonly debitId: string; readonly processorAccount: string },
): Promise<DebitReferences> {
  try {
    return await processor.findReferences(debit);
  } catch (error) {
    logFault('references not found', error, { sessionId: debit.sessionId });
    return {};
  }
}
