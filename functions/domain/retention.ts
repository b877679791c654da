import type { Session } from './session.ts';
import { sessionStatuses, type SessionStatus } from './transitions.ts';
import { toIso } from './time.ts';

export const defaultRetentionMonths = 24;
const evidenceRetentionMonths = 7 * 12;

/** Without a way back to being paid. A settled debit can still be returned. */
export const endedStatuses: readonly SessionStatus[] = sessionStatuses.filter(
  (status) => status !== 'pending' && status !== 'processing',
);

/** Undefined while it is open. A return does not end it again. */
export function endedAt({ settledAt, failedAt, cancelledAt }: Session): string | undefined {
  return settledAt ?? failedAt ?? cancelledAt;
}

/** Undefined if nothing was authorized. */
export function evidenceKeptUntil({ processingAt }: Session): string | undefined {
  return processingAt && toIso(addMonths(Date.parse(processingAt), evidenceRetentionMonths));
}

/** In UTC. A month without the day ends at its last one: one month before March 31 is February 28. */
export function addMonths(time: number, months: number): number {
  const moved = new Date(time);
  const day = moved.getUTCDate();
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== day) moved.setUTCDate(0);
  return moved.getTime();
}
