import { Problem } from '../contract/problem.ts';
import type { DebitReferences } from '../domain/payments/debit.ts';
import { sha256 } from '../domain/identifier.ts';
import type { Session } from '../domain/sessions/session.ts';
import { logFault } from '../log.ts';
import type { ReferenceFinder } from '../processors/processor.ts';
import { getEvidence, forbiddenWrites } from '../store/payments/authorizations.ts';
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

/** The evidence, and the references that a bank needs to find the debit. */
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

interface WriteOnceTools extends ReadingTools {
  /** Production only. */
  readonly putLockedCopy: ((now: number) => Promise<() => Promise<unknown>>) | undefined;
}

/** Tries what nobody may do to evidence, and returns for each attempt whether AWS refused it. */
export async function proveWriteOnce(
  { database, putLockedCopy }: WriteOnceTools,
  now: number,
): Promise<Record<string, boolean>> {
  const deleteLockedCopy = await putLockedCopy?.(now);
  const attempts = {
    ...forbiddenWrites(database),
    ...(deleteLockedCopy && { 'DeleteObject of a locked version': deleteLockedCopy }),
  };
  const refused: Record<string, boolean> = {};
  for (const [name, attempt] of Object.entries(attempts)) refused[name] = await isRefused(attempt);
  return refused;
}

/** Throws if it failed for another reason, such as a caller who may not write at all: that proves nothing. */
async function isRefused(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { name, message } = error;
    if (name === 'AccessDenied' || (name === 'AccessDeniedException' && message.includes('explicit deny'))) return true;
    if (name === 'ConditionalCheckFailedException' || name === 'TransactionCanceledException') return false;
    throw error;
  }
}
