import { Fault } from '../domain/fault.ts';
import type { EvidenceArchive } from '../messages/payments/evidence-archive.ts';
import { getEvidence } from '../store/payments/authorizations.ts';
import type { ReadingTools } from '../store/database.ts';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { platformAccount } from '../domain/payments/booking.ts';
import { minute, toIso, type Clock } from '../domain/time.ts';
import { logError, logInfo } from '../log.ts';
import type { ListPage } from '../processors/processor.ts';
import { readEventsSince } from '../store/webhooks/event-list.ts';
import { eventRetention } from '../store/webhooks/events.ts';
import { readPracticeIds } from '../store/practices/practices.ts';
import { readReconciliations, saveReconciliation } from '../store/payments/bookings.ts';
import { catchUp } from './catch-up.ts';

interface ArchiveTools extends ReadingTools {
  readonly archive: EvidenceArchive;
}

/** Copies a session's evidence to the archive. Throws a Fault if there is none. */
export async function archiveEvidence(
  { database, archive }: ArchiveTools,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const evidence = await getEvidence(database, sessionId);
  if (!evidence) throw new Fault(`the evidence of ${sessionId} is missing`);
  await archive.put(evidence);
}

interface CheckTools extends ArchiveTools {
  readonly clock: Clock;
}

const runTime = 8 * minute;
/** Leaves out recent events: their copy may be on its way, and the event index may lag. */
const grace = 10 * minute;

/**
 * Checks that every authorization since the last run has a copy in the archive, and makes the missing copies. The first
 * run goes back as far as events are kept. The rest waits for the next run.
 */
export async function checkArchive(tools: CheckTools): Promise<void> {
  const { database, clock } = tools;
  const now = clock();
  const platform = (await readReconciliations(database)).find(({ account }) => account === platformAccount);
  const practiceIds = (await readPracticeIds(database)).sort();
  const { from } = await catchUp(
    platform?.evidence ?? { from: toIso(now - eventRetention) },
    { until: toIso(now - grace), clock, deadline: now + runTime },
    (page) => checkPage(tools, practiceIds, page),
    (evidence) => saveReconciliation(database, { account: platformAccount, evidence }),
  );
  logInfo('archive checked', { until: from });
}

/** Checks one page of one practice, and then the next practice. Returns where the next page starts. */
async function checkPage(
  tools: CheckTools,
  practiceIds: readonly string[],
  { from, to, after }: ListPage,
): Promise<string | undefined> {
  const [reached = '', position] = after?.split(' ') ?? [];
  for (const practiceId of practiceIds.filter((each) => each >= reached)) {
    const start = practiceId === reached ? position : undefined;
    const entries = await readEventsSince(tools.database, { practiceId, from, to, after: start });
    const authorized = entries.filter(({ type }) => type === 'session.payment.processing');
    const sessionIds = authorized.flatMap(({ eventId }) => sessionIdOfEvent(eventId) ?? []);
    await Promise.all(sessionIds.map((sessionId) => checkSession(tools, { practiceId, sessionId })));
    const last = entries.at(-1);
    if (last) return `${practiceId} ${last.position}`;
  }
  return undefined;
}

/** Throws if a copy fails, so that the next run continues here and skips nothing. */
async function checkSession(
  tools: CheckTools,
  session: { readonly practiceId: string; readonly sessionId: string },
): Promise<void> {
  if (await tools.archive.has(session)) return;
  logError('archive had a gap', session, [{ metric: 'EvidenceNotArchived', value: 1 }]);
  await archiveEvidence(tools, session);
}
