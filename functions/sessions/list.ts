import type * as z from 'zod/mini';
import type { listSessionsRoute } from '../contract/sessions/list-sessions.ts';
import { cursorAfter, sessionIdOfCursor } from '../domain/cursor.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { type Session, withExpiry, bankConnectionAttemptsRemaining } from '../domain/sessions/session.ts';
import { hasOutcome, type Outcome } from '../domain/sessions/outcome.ts';
import type { ReadingTools } from '../store/database.ts';
import { readSessionPage } from '../store/sessions/session-list.ts';
import { Problem } from '../contract/problem.ts';
import { sessionStatus } from '../domain/sessions/session-status.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { blockOf, findBlocks, findInvoiceBlocker, findPayingSessions } from './blocks.ts';
import { sessionEventIds } from '../domain/webhooks/event.ts';
import { pick } from '../domain/collections.ts';
import { listDeliveriesOfEvent } from '../store/webhooks/delivery-log.ts';
import { getEvents } from '../store/webhooks/events.ts';
import type { SessionStatus } from '../domain/sessions/transitions.ts';

interface ListInput extends Omit<z.output<typeof listSessionsRoute.query>, 'returned' | 'status'> {
  readonly practiceId: string;
  readonly status?: readonly SessionStatus[] | undefined;
  readonly outcome?: readonly Outcome[] | undefined;
  readonly returned?: boolean | undefined;
}

/** Newest first. A page can be short or empty before the last one. Throws a Problem for a cursor from another list. */
export async function listSessions(
  { database }: ReadingTools,
  { practiceId, status = [], outcome = [], invoiceId, returned = false, limit, cursor, ...created }: ListInput,
  now: number,
): Promise<{ sessions: readonly Session[]; nextCursor: string | null }> {
  const { createdSince, createdBefore } = created;
  const statuses = [...new Set(status)];
  const filter = { practiceId, statuses, outcomes: outcome, invoiceId, returned, createdSince, createdBefore };
  const before = cursor === undefined ? undefined : sessionIdOfCursor(cursor, filter);
  if (cursor !== undefined && before === undefined) throw invalidCursor();
  const { sessions, last } = await readSessionPage(database, { ...filter, before, limit }, now);
  return { sessions, nextCursor: last === undefined ? null : cursorAfter(last, filter) };
}

export function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'Use a cursor only with the filters of the request that returned it, or start without one.',
  );
}

/** The status body of one session. */
export async function readStatus(tools: ReadingTools, session: Session, now: number) {
  return sessionStatus(session, (await findBlock(tools, session, now)).block, now);
}

/** What blocks a session's payment, and the session that pays its invoice instead. Strongly consistent. */
export async function findBlock(tools: ReadingTools, session: Session, now: number) {
  const current = withExpiry(session, now);
  if (current.status !== 'pending') return {};
  const practice = await getExistingPractice(tools.database, session.practiceId);
  const blocker = await findInvoiceBlocker(tools, current, practice);
  return { block: blockOf(current, blocker?.blockedBy), blockingSessionId: blocker?.sessionId };
}

/** One page of sessions, with what blocks each of them. */
export async function listWithBlocks(tools: ReadingTools, input: Parameters<typeof listSessions>[1], now: number) {
  const [page, practice] = await Promise.all([
    listSessions(tools, input, now),
    getExistingPractice(tools.database, input.practiceId),
  ]);
  const sessions = await withoutPaidElsewhere(tools, page.sessions, input, practice);
  return { sessions, nextCursor: page.nextCursor, blocks: await findBlocks(tools, sessions, practice) };
}

/** Leaves out sessions that only the outcome `opened` finds if another session pays their invoice: nobody should chase them. */
export async function withoutPaidElsewhere(
  tools: ReadingTools,
  sessions: readonly Session[],
  { outcome = [] }: Pick<ListInput, 'outcome'>,
  { invoiceGuard }: Pick<Practice, 'invoiceGuard'>,
): Promise<readonly Session[]> {
  if (!invoiceGuard || !outcome.includes('opened')) return sessions;
  const others = outcome.filter((each) => each !== 'opened');
  const opened = sessions.filter((session) => !hasOutcome(session, others));
  const payers = await findPayingSessions(tools, opened);
  return sessions.filter(({ sessionId }) => !payers.has(sessionId));
}

/** A session's events, which are kept for 30 days, and their deliveries. */
export async function getSessionDetail({ database }: ReadingTools, session: Session) {
  const events = await getEvents(database, sessionEventIds(session));
  return {
    bankConnectionAttemptsRemaining: bankConnectionAttemptsRemaining(session),
    applicationFeeCents: session.fee,
    ...pick(session, [
      'locale',
      'linkReplacedAt',
      'extensions',
      'extendedAt',
      'bankConnectedAt',
      'bankAccount',
      'cancelRequestedAt',
    ]),
    events: await Promise.all(
      events.map(async (event) => ({
        ...pick(event, ['eventId', 'type', 'createdAt', 'body']),
        isSending: event.dueShard !== undefined,
        deliveries: await listDeliveriesOfEvent(database, event.eventId, session.practiceId),
      })),
    ),
  };
}
