import { randomBytes } from 'node:crypto';
import { newAuditEntry, type AuditEntry, type Author } from '../../functions/domain/team/audit-entry.ts';
import { createPractice as create } from '../../functions/practices/create.ts';
import { makeKey } from '../../functions/practices/keys.ts';
import { createApiKey } from '../../functions/store/practices/api-keys.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import type { Database } from '../../functions/store/database.ts';
import { insertSession } from '../../functions/store/sessions/sessions.ts';
import { toIso } from '../../functions/domain/time.ts';
import { aSession } from './examples.ts';

export const author: Author = {
  kind: 'user',
  userId: 'usr_ada',
  email: 'ada@lakeside.example',
  address: '192.0.2.1',
};

/** An entry for store functions that write one with their change. */
export function anEntry(practiceId: string): AuditEntry {
  return newAuditEntry({ randomBytes }, { practiceId, author, action: 'practice.updated' }, Date.now());
}

/** Even a live practice gets a key, whether or not it is ready for live payments. */
export async function createPractice(
  tools: Parameters<typeof create>[0],
  input: Parameters<typeof create>[1],
  now: number,
) {
  const created = await create(tools, input, now);
  if (created.apiKey !== undefined) return { ...created, apiKey: created.apiKey };
  const { practiceId } = created;
  const { apiKey, row } = makeKey(tools, { practiceId, name: 'First key' }, now);
  const { author } = input;
  const entry = newAuditEntry(tools, { practiceId, author, action: 'api_key.created', target: row.keyId }, now);
  await createApiKey(tools.database, row, entry);
  return { ...created, apiKey };
}

export async function storeSession(
  database: Database,
  differences: Partial<Session> = {},
  now = Date.now(),
): Promise<ReturnType<typeof aSession>> {
  const session = aSession({ sessionId: `ses_${ulid(now, randomBytes)}`, createdAt: toIso(now), ...differences });
  await insertSession(database, session, undefined, now);
  return session;
}
