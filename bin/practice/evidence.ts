import * as z from 'zod/mini';
import { sha256 } from '../../functions/domain/identifier.ts';
import { getEvidence } from '../../functions/store/authorizations.ts';
import { text } from './options.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

export const evidenceOptions = z.strictObject({ session: text });

/** The proof that a patient authorized a debit, as it was written then, and whether its text still has the hash that was accepted. */
export async function showEvidence({ database }: OperatedStack, { session }: z.output<typeof evidenceOptions>) {
  const evidence = await getEvidence(database, session);
  if (!evidence) throw new OperatorError('No debit was authorized in a session of this id.');
  return { ...evidence, textMatchesAuthorizationId: sha256(evidence.text) === evidence.authorizationId };
}
