import * as z from 'zod/mini';
import type { MailTicket } from '../../contract/webhooks/tickets.ts';
import { day, toEpochSeconds } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { update } from '../rows.ts';

const mailLimit = z.object({ rateLimitId: z.string(), mailed: z.optional(z.set(z.string())), timeToLive: z.int() });

/** The minimum time that a limit's row is kept. */
export const limitKept = 2 * day;

/** In each period, at most `most` of a practice's events of one kind are emailed, each once. */
export interface MailLimit extends Pick<MailTicket, 'practiceId' | 'about'> {
  /** For example, an hour, like 2026-11-20T15. */
  readonly period: string;
  readonly most: number;
}

/** Returns how many more can follow. Undefined if this one was emailed before, or too many others were. */
export async function reserveMail(
  database: Database,
  limit: MailLimit,
  eventId: string,
  now: number,
): Promise<number | undefined> {
  const reservation = {
    set: { timeToLive: toEpochSeconds(now + limitKept) },
    add: { mailed: new Set([eventId]) },
    condition: expression`attribute_not_exists(mailed) OR size(mailed) < ${limit.most} AND NOT contains(mailed, ${eventId})`,
  };
  const { written, row } = await update(database, 'rateLimits', keyOf(limit), reservation, mailLimit);
  return written ? limit.most - (row.mailed?.size ?? 0) : undefined;
}

export async function releaseMail(database: Database, limit: MailLimit, eventId: string): Promise<void> {
  await update(database, 'rateLimits', keyOf(limit), { delete: { mailed: new Set([eventId]) } }, mailLimit);
}

function keyOf({ practiceId, about, period }: MailLimit) {
  return { rateLimitId: `mails#${practiceId}#${about}#${period}` };
}
