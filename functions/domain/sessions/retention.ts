import type { Session } from './session.ts';
import { sessionStatuses, type SessionStatus } from './transitions.ts';
import { toIso } from '../time.ts';

export const defaultRetentionMonths = 24;
const evidenceRetentionMonths = 7 * 12;

/** No payment can follow in these statuses, but a settled debit can still be returned. */
export const endedStatuses: readonly SessionStatus[] = sessionStatuses.filter(
  (status) => status !== 'pending' && status !== 'processing',
);

/** Undefined while the session is open. A later return does not change it. */
export function endedAt({ settledAt, failedAt, cancelledAt }: Session): string | undefined {
  return settledAt ?? failedAt ?? cancelledAt;
}

/** Undefined if nothing was authorized. */
export function evidenceKeptUntil({ processingAt }: Session): string | undefined {
  return processingAt && toIso(addMonths(Date.parse(processingAt), evidenceRetentionMonths));
}

/** In UTC. Falls back to the last day of a shorter month: one month before March 31 is February 28. */
export function addMonths(time: number, months: number): number {
  const moved = new Date(time);
  const day = moved.getUTCDate();
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== day) moved.setUTCDate(0);
  return moved.getTime();
}
