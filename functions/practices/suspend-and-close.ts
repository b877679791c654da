import { Problem } from '../contract/problem.ts';
import { second, toIso } from '../domain/time.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { listApiKeys } from '../store/practices/api-keys.ts';
import type { WritingTools } from '../store/database.ts';
import { updatePractice } from '../store/practices/practices.ts';
import { sessionsWithStatus } from '../store/sessions/session-list.ts';
import { getSessions } from '../store/sessions/sessions.ts';
import { writeCancellation } from '../store/sessions/transitions.ts';
import { removeEveryone } from '../team/members.ts';
import { revokeKey } from './keys.ts';
import { practiceNotFound, type PracticeOfAuthor, practiceEntry } from './requirements.ts';

/** Allows no new sessions and no new authorizations. Payments in progress continue. Idempotent. */
export async function suspendPractice(tools: WritingTools, input: PracticeOfAuthor, now: number) {
  const change = { set: { suspendedAt: toIso(now) }, unless: 'suspendedAt' } as const;
  const entry = practiceEntry(tools, input, 'practice.suspended', now);
  const suspended = await updatePractice(tools.database, input.practiceId, change, entry);
  if (suspended.written || suspended.row?.suspendedByPlatform !== true) return suspensionOf(suspended);
  // From now on, the platform cannot end it.
  const takeOver = { set: { suspendedByPlatform: null }, requires: 'suspendedByPlatform' } as const;
  return suspensionOf(await updatePractice(tools.database, input.practiceId, takeOver, entry));
}

/** Ends a suspension. Idempotent. Throws a Problem for a closed practice. */
export async function resumePractice(tools: WritingTools, input: PracticeOfAuthor, now: number) {
  const change = {
    set: { suspendedAt: null, suspendedByPlatform: null },
    requires: 'suspendedAt',
    unless: 'closedAt',
  } as const;
  const entry = practiceEntry(tools, input, 'practice.resumed', now);
  const resumed = suspensionOf(await updatePractice(tools.database, input.practiceId, change, entry));
  if (resumed.status === 'closed')
    throw new Problem('practice_closed', 'A practice is closed for good. Create a new one.');
  return resumed;
}

function suspensionOf({ row }: { readonly row: Practice | undefined }) {
  if (!row) throw practiceNotFound();
  const { practiceId, suspendedAt, closedAt } = row;
  const status = closedAt !== undefined ? 'closed' : suspendedAt !== undefined ? 'suspended' : 'active';
  return { practiceId, status, suspendedAt };
}

interface CloseTools extends WritingTools {
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** How long after the closing a session can still appear: creation runs for up to 10 s on an old read, and the index lags. */
const lastCreation = 15 * second;

/**
 * Closes a practice for good: ends open links, revokes keys and allows no new sessions. Members keep their access while
 * debits are processing; run it again after that. Webhook endpoints stay, because a debit can be returned for months.
 * Takes 15 s the first time.
 */
export async function closePractice(tools: CloseTools, { practiceId, author }: PracticeOfAuthor, now: number) {
  const { database, pause } = tools;
  const change = { set: { closedAt: toIso(now) }, unless: 'closedAt' } as const;
  const entry = practiceEntry(tools, { practiceId, author }, 'practice.closed', now);
  const { row: practice } = await updatePractice(database, practiceId, change, entry);
  if (!practice) throw practiceNotFound();

  let revokedKeys = await revokeKeys(tools, { practiceId, author }, now);
  let cancelledSessions = await cancelPending(tools, practiceId, now);
  // A request that read the practice before the closing can still create a session.
  const wait = Date.parse(practice.closedAt ?? toIso(now)) + lastCreation - now;
  if (wait > 0) {
    await pause(wait);
    cancelledSessions += await cancelPending(tools, practiceId, now + wait);
  }

  const processingDebits = await count(sessionsWithStatus(database, practiceId, 'processing'));
  const removedMembers = processingDebits > 0 ? 0 : await removeEveryone(tools, { practiceId, author }, now);
  // The index may have missed a key that was added just before.
  revokedKeys += await revokeKeys(tools, { practiceId, author }, now);
  return {
    practiceId,
    status: processingDebits > 0 ? ('closing' as const) : ('closed' as const),
    closedAt: practice.closedAt,
    cancelledSessions,
    processingDebits,
    revokedKeys,
    removedMembers,
  };
}

async function revokeKeys(tools: CloseTools, { practiceId, author }: PracticeOfAuthor, now: number): Promise<number> {
  const keys = (await listApiKeys(tools.database, practiceId)).filter(({ revokedAt }) => revokedAt === undefined);
  for (const { keyId } of keys) await revokeKey(tools, { practiceId, keyId, author }, now);
  return keys.length;
}

/** Leaves sessions that have just expired to the sweep. */
async function cancelPending({ database }: CloseTools, practiceId: string, now: number): Promise<number> {
  let cancelled = 0;
  for await (const ids of sessionsWithStatus(database, practiceId, 'pending')) {
    const sessions = await getSessions(
      database,
      ids.map(({ sessionId }) => sessionId),
    );
    for (const session of sessions.filter(({ status }) => status === 'pending')) {
      const { result } = await writeCancellation(database, session, now);
      if (result === 'written') cancelled += 1;
    }
  }
  return cancelled;
}

async function count(pages: AsyncIterable<readonly unknown[]>): Promise<number> {
  let total = 0;
  for await (const page of pages) total += page.length;
  return total;
}
