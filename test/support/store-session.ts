import { randomBytes } from 'node:crypto';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import type { Database } from '../../functions/store/database.ts';
import { insertSession } from '../../functions/store/sessions/sessions.ts';
import { aSession } from './examples.ts';

type SessionTables = Parameters<typeof insertSession>[0] & Database;

export async function storeSession(
  database: SessionTables,
  differences: Partial<Session> = {},
  now = Date.now(),
): Promise<ReturnType<typeof aSession>> {
  const session = aSession({ sessionId: `ses_${ulid(now, randomBytes)}`, ...differences });
  await insertSession(database, session, undefined, now);
  return session;
}
