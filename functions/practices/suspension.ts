import { Problem } from '../contract/problem.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { toIso } from '../domain/time.ts';
import type { WritingTools } from '../store/database.ts';
import { updatePractice } from '../store/practices/practices.ts';
import { practiceNotFound, type PracticeOfAuthor, practiceEntry } from './requirements.ts';

type SuspensionTools = WritingTools<'practices' | 'auditLog'>;

/** Allows no new sessions and no new authorizations. Payments in progress go on. Idempotent. */
export async function suspendPractice(tools: SuspensionTools, input: PracticeOfAuthor, now: number) {
  const change = { set: { suspendedAt: toIso(now) }, unless: 'suspendedAt' } as const;
  const entry = practiceEntry(tools, input, 'practice.suspended', now);
  return suspensionOf(await updatePractice(tools.database, input.practiceId, change, entry));
}

/** Ends a suspension. Idempotent. Throws a Problem for a closed practice. */
export async function resumePractice(tools: SuspensionTools, input: PracticeOfAuthor, now: number) {
  const change = { set: { suspendedAt: null }, requires: 'suspendedAt', unless: 'closedAt' } as const;
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
