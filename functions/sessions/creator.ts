import type { Creator } from '../contract/sessions/dashboard-sessions.ts';
import type { Session } from '../domain/sessions/session.ts';
import type { Database } from '../store/database.ts';
import { getApiKey } from '../store/practices/api-keys.ts';
import { findAuditEntry } from '../store/team/audit-log.ts';

/** Undefined if it is not known. */
export async function findCreator(
  { database }: { readonly database: Database<'apiKeys' | 'auditLog'> },
  { sessionId, practiceId, createdAt, via: keyId }: Session,
): Promise<Creator | undefined> {
  if (keyId !== undefined) {
    const key = await getApiKey(database, keyId);
    return key && { kind: 'api_key', keyId, name: key.name };
  }
  const written = { action: 'session.created', target: sessionId, at: Date.parse(createdAt) } as const;
  const author = (await findAuditEntry(database, practiceId, written))?.author;
  return author?.kind === 'user' ? { kind: 'user', email: author.email } : undefined;
}
