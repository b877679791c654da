import * as z from 'zod/mini';
import { endedStatuses } from '../domain/retention.ts';
import { session, type Session } from '../domain/session.ts';
import { toIso } from '../domain/time.ts';
import { updateAudited } from './audit-log.ts';
import type { Database } from './database.ts';
import { allOf, expression, oneOf } from './expressions.ts';
import { queryPages, type Updated } from './rows.ts';
import { updateSession } from './sessions.ts';
import type { Change, Part } from './writes.ts';

type Sessions = Database<'sessions'>;

/** Of the practice's sessions whose ids are in this range, oldest first, in pages. */
export async function* sessionIdPages(
  database: Sessions,
  practiceId: string,
  { first, last }: { readonly first: string; readonly last: string },
): AsyncGenerator<string[]> {
  const key = expression`practiceId = ${practiceId} AND sessionId BETWEEN ${first} AND ${last}`;
  const query = { index: 'byPractice', key };
  for await (const rows of queryPages(database, 'sessions', query, z.object({ sessionId: z.string() })))
    yield rows.map(({ sessionId }) => sessionId);
}

/** Removes what is about the patient from a session that has ended. Doing it again changes nothing. */
export async function scrubSession(database: Sessions, sessionId: string, now: number): Promise<Session> {
  return (await updateSession(database, sessionId, scrubbing(now))).session;
}

export async function scrubAudited(
  database: Database<'sessions' | 'auditLog'>,
  sessionId: string,
  now: number,
  audit: Part,
): Promise<Updated<Session>> {
  return updateAudited(database, 'sessions', { sessionId }, scrubbing(now), session, audit);
}

function scrubbing(now: number): Change<Session> {
  return {
    set: { scrubbedAt: toIso(now), metadata: {} },
    remove: [
      'patient',
      'returnUrl',
      'bankAccount',
      'bankConnectionId',
      'processorAccount',
      'payee',
      'authorizationTemplate',
    ],
    condition: allOf(expression`status IN ${oneOf(endedStatuses)}`, expression`attribute_not_exists(scrubbedAt)`),
  };
}
