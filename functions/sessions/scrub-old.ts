import { justBefore } from '../domain/cursor.ts';
import { Fault } from '../domain/fault.ts';
import { firstSessionIdAt } from '../domain/identifier.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { addMonths, endedAt } from '../domain/sessions/retention.ts';
import type { Session } from '../domain/sessions/session.ts';
import { day, minute, toIso, type Clock } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { readPractices, recordScrubbedTo } from '../store/practices/practices.ts';
import { sessionIdPages } from '../store/sessions/session-list.ts';
import { getSessions, scrubSession } from '../store/sessions/sessions.ts';

interface ScrubTools extends ReadingTools {
  readonly clock: Clock;
}

const runTime = 8 * minute;

/**
 * Scrubs the sessions that ended before their practice's retention period. The rest waits for the next run. Throws at
 * the end if anything failed.
 */
export async function scrubOldSessions(tools: ScrubTools): Promise<void> {
  const { database, clock } = tools;
  const startedAt = clock();
  const deadline = startedAt + runTime;
  const { practices, unreadableIds } = await readPractices(database);
  let [scrubbed, failed] = [0, unreadableIds.length];
  for (const practice of fromAnotherEachDay(practices, startedAt)) {
    if (clock() >= deadline) break;
    const { practiceId } = practice;
    try {
      const result = await scrubPractice(tools, practice, deadline);
      scrubbed += result.scrubbed;
      failed += result.failed;
    } catch (error) {
      failed += 1;
      logFault('sessions not scrubbed', error, { practiceId });
    }
  }
  logInfo('sessions scrubbed', { scrubbed, failed });
  if (failed > 0) throw new Fault(`the scrub of old sessions failed ${failed} times`);
}

/** Starts with another practice each day, so that none waits forever behind practices that use up the time. */
function fromAnotherEachDay(practices: readonly Practice[], now: number): Practice[] {
  const first = Math.floor(now / day) % Math.max(practices.length, 1);
  return [...practices.slice(first), ...practices.slice(0, first)];
}

/**
 * Goes through the sessions by ID, that is, in order of creation, from the first one that an earlier run left. A session can
 * end long after newer ones: it is skipped, and later runs start from it again.
 */
async function scrubPractice(
  { database, clock }: ScrubTools,
  { practiceId, retentionMonths, scrubbedTo }: Practice,
  deadline: number,
): Promise<{ scrubbed: number; failed: number }> {
  const now = clock();
  const before = addMonths(now, -retentionMonths);
  const range = { first: scrubbedTo ?? 'ses_', last: justBefore(firstSessionIdAt(before + 1)) };
  let [scrubbed, failed] = [0, 0];
  if (range.first > range.last) return { scrubbed, failed };
  let leftAny = false;
  for await (const ids of sessionIdPages(database, practiceId, range)) {
    const { sessions, unread } = await readSessions(database, practiceId, ids);
    failed += unread;
    const due = sessions.filter((session) => isDue(session, toIso(before)));
    const results = await Promise.all(
      due.map(({ sessionId }) => orLogged(scrubSession(database, sessionId, now), { practiceId, sessionId })),
    );
    const done = results.filter((result) => result !== undefined).length;
    scrubbed += done;
    failed += due.length - done;
    leftAny ||= failed > 0 || sessions.some((session) => session.scrubbedAt === undefined && !due.includes(session));
    const last = ids.at(-1);
    if (!leftAny && last !== undefined) await recordScrubbedTo(database, practiceId, last);
    if (clock() >= deadline) break;
  }
  return { scrubbed, failed };
}

/** Reads the sessions together, or one by one if that fails: a single bad row must not stop the others. */
async function readSessions(
  database: Database,
  practiceId: string,
  ids: readonly string[],
): Promise<{ sessions: Session[]; unread: number }> {
  const read = (some: readonly string[]) => getSessions(database, some, { consistent: false });
  const together = await read(ids).catch(() => undefined);
  if (together) return { sessions: together, unread: 0 };
  const results = await Promise.all(ids.map((sessionId) => orLogged(read([sessionId]), { practiceId, sessionId })));
  const readable = results.filter((result) => result !== undefined);
  return { sessions: readable.flat(), unread: ids.length - readable.length };
}

async function orLogged<Result>(
  work: Promise<Result>,
  ids: { readonly practiceId: string; readonly sessionId: string },
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    logFault('session not scrubbed', error, ids);
    return undefined;
  }
}

function isDue(session: Session, before: string): boolean {
  const ended = endedAt(session);
  return session.scrubbedAt === undefined && ended !== undefined && ended <= before;
}
