import { newAuditEntry, type Audited } from '../domain/audit-entry.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { toIso } from '../domain/time.ts';
import { revokeKey } from '../practices/keys.ts';
import { practiceNotFound } from '../practices/require-practice.ts';
import { listApiKeys } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';
import { updatePractice } from '../store/practices.ts';
import { sessionsWithStatus } from '../store/session-totals.ts';
import { getSessions } from '../store/sessions.ts';
import { writeCancellation } from '../store/transitions.ts';
import { removeEveryone } from './remove-everyone.ts';

interface CloseTools {
  readonly database: Database<
    'practices' | 'sessions' | 'events' | 'invoiceClaims' | 'apiKeys' | 'members' | 'invitations' | 'auditLog'
  >;
  readonly randomBytes: RandomBytes;
}

interface CloseInput extends Audited {
  readonly practiceId: string;
}

/**
 * For good: no new sessions, open links end, keys are revoked. Members keep their access while debits are processing;
 * run it again after that. Webhook endpoints stay, because a debit can be returned for months.
 */
export async function closePractice(tools: CloseTools, { practiceId, author }: CloseInput, now: number) {
  const { database, randomBytes } = tools;
  const change = { set: { closedAt: toIso(now) }, unless: 'closedAt' } as const;
  const entry = newAuditEntry({ practiceId, author, action: 'practice.closed', target: practiceId }, now, randomBytes);
  const { row: practice } = await updatePractice(database, practiceId, change, entry);
  if (!practice) throw practiceNotFound();

  const cancelledSessions = await cancelPending(tools, practiceId, now);
  const processingDebits = await count(sessionsWithStatus(database, practiceId, 'processing'));
  const removedMembers = processingDebits > 0 ? 0 : await removeEveryone(tools, { practiceId, author }, now);
  const keys = (await listApiKeys(database, practiceId)).filter(({ revokedAt }) => revokedAt === undefined);
  for (const { keyId } of keys) await revokeKey(tools, { practiceId, keyId, author }, now);
  return {
    practiceId,
    status: processingDebits > 0 ? ('closing' as const) : ('closed' as const),
    closedAt: practice.closedAt,
    cancelledSessions,
    processingDebits,
    revokedKeys: keys.length,
    removedMembers,
  };
}

/** One that has just expired is left to the sweep. */
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
