import { justBefore } from '../domain/cursor.ts';
import { Fault } from '../domain/fault.ts';
import { firstSessionIdAt } from '../domain/identifier.ts';
import type { Practice } from '../domain/practice.ts';
import { addMonths, endedAt } from '../domain/retention.ts';
import type { Session } from '../domain/session.ts';
import { minute, toIso, type Clock } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import type { Database } from '../store/database.ts';
import { readPractices, recordScrubbedTo } from '../store/practices.ts';
import { scrubSession } from '../store/scrubbing.ts';
import { sessionIdPages } from '../store/session-totals.ts';
import { getSessions } from '../store/sessions.ts';

interface ScrubTools {
  readonly database: Database<'practices' | 'sessions'>;
  readonly clock: Clock;
}

const runTime = 8 * minute;

/** Scrubs the sessions that ended longer ago than their practice keeps them. What is left waits for the next run. */
export async function scrubOldSessions(tools: ScrubTools): Promise<void> {
  const { database, clock } = tools;
  const deadline = clock() + runTime;
  let failed = 0;
  for (const practice of await readPractices(database)) {
    if (clock() >= deadline) break;
    try {
      const scrubbed = await scrubPractice(tools, practice, deadline);
      if (scrubbed > 0) logInfo('sessions scrubbed', { practiceId: practice.practiceId, scrubbed });
    } catch (error) {
      failed += 1;
      logFault('sessions not scrubbed', error, { practiceId: practice.practiceId });
    }
  }
  if (failed > 0) throw new Fault(`the old sessions of ${failed} practices were not scrubbed`);
}

/**
 * Goes by creation, which the ids have, from the first session that an earlier run left. A session can end long after
 * younger ones did: it is passed by, and later runs start at it again.
 */
async function scrubPractice(
  { database, clock }: ScrubTools,
  { practiceId, retentionMonths, scrubbedTo }: Practice,
  deadline: number,
): Promise<number> {
  const now = clock();
  const before = addMonths(now, -retentionMonths);
  const range = { first: scrubbedTo ?? 'ses_', last: justBefore(firstSessionIdAt(before + 1)) };
  if (range.first > range.last) return 0;
  let scrubbed = 0;
  let leftAny = false;
  for await (const ids of sessionIdPages(database, practiceId, range)) {
    const sessions = await getSessions(database, ids, { consistent: false });
    const due = sessions.filter((session) => isDue(session, toIso(before)));
    await Promise.all(due.map(({ sessionId }) => scrubSession(database, sessionId, now)));
    scrubbed += due.length;
    leftAny ||= sessions.some((session) => session.scrubbedAt === undefined && !due.includes(session));
    const last = ids.at(-1);
    if (!leftAny && last !== undefined) await recordScrubbedTo(database, practiceId, last);
    if (clock() >= deadline) break;
  }
  return scrubbed;
}

function isDue(session: Session, before: string): boolean {
  const ended = endedAt(session);
  return session.scrubbedAt === undefined && ended !== undefined && ended <= before;
}
