import { secretRotation } from '../contract/webhooks/webhook-endpoints.ts';
import { hour, toIso } from '../domain/time.ts';
import { rotatedSecrets } from '../domain/webhooks/webhook-endpoint.ts';
import { generateSigningSecret } from '../domain/webhooks/webhook-signature.ts';
import { writeAuditEntry } from '../store/team/audit-log.ts';
import type { ReadingTools, WritingTools } from '../store/database.ts';
import { rotateSigningSecret, type EndpointKey } from '../store/webhooks/webhook-endpoints.ts';
import { endpointEntry, type EndpointOfAuthor, requireEndpoint } from './requirements.ts';
import { parseInput, type Unchecked } from '../practices/requirements.ts';

/** The old secret keeps signing for `keepOldHours`. */
export async function rotateSecret(
  tools: WritingTools,
  { practiceId, endpointId, author, ...given }: Unchecked<typeof secretRotation> & EndpointOfAuthor,
  now: number,
) {
  const { keepOldHours } = parseInput(secretRotation, given);
  const key = { practiceId, endpointId, author };
  const found = await requireEndpoint(tools.database, key);
  const previousSecretExpiresAt = toIso(now + keepOldHours * hour);
  const signingSecret = generateSigningSecret(tools.randomBytes);
  const secrets = rotatedSecrets(found, signingSecret, previousSecretExpiresAt, now);
  const entry = endpointEntry(tools, key, 'signing_secret.rotated', now, { endsAt: previousSecretExpiresAt });
  // The endpoint has changed since it was read.
  if (!(await rotateSigningSecret(tools.database, found, secrets, entry)))
    return rotateSecret(tools, { ...key, keepOldHours }, now);
  return { signingSecret, previousSecretExpiresAt };
}

/** Writes the audit entry first: nobody sees the secret without one. */
export async function revealSecret(tools: WritingTools, key: EndpointOfAuthor, now: number) {
  const { signingSecret } = await requireEndpoint(tools.database, key);
  await writeAuditEntry(tools.database, endpointEntry(tools, key, 'signing_secret.revealed', now));
  return { signingSecret };
}

/** Use it only for the local stack's receiver: it writes no audit entry. */
export async function getSigningSecret({ database }: ReadingTools, key: EndpointKey): Promise<string> {
  return (await requireEndpoint(database, key)).signingSecret;
}
