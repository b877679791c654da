import { endedStatuses } from '../../domain/sessions/retention.ts';
import { bankDetails, type Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import { updateAudited } from '../team/audit-log.ts';
import type { Database } from '../database.ts';
import { allOf, expression, oneOf } from '../expressions.ts';
import type { Updated } from '../rows.ts';
import { sessionRow } from './session-row.ts';
import { updateSession, type Stored } from './sessions.ts';
import type { Change, Part } from '../writes.ts';

/** Removes the patient's details from a session that has ended. Idempotent. */
export async function scrubSession(database: Database, sessionId: string, now: number): Promise<Session> {
  return (await updateSession(database, sessionId, scrubbing(now))).session;
}

export async function scrubAudited(
  database: Database,
  sessionId: string,
  now: number,
  audit: Part,
): Promise<Updated<Session>> {
  return updateAudited(database, 'sessions', { sessionId }, scrubbing(now), sessionRow, audit);
}

function scrubbing(now: number): Change<Stored> {
  return {
    set: { scrubbedAt: toIso(now), metadata: {} },
    remove: ['patient', 'lastFirst', 'firstLast', 'lastWordFirst', 'returnUrl', ...bankDetails],
    condition: allOf(expression`status IN ${oneOf(endedStatuses)}`, expression`attribute_not_exists(scrubbedAt)`),
  };
}
