import { day } from '../time.ts';
import type { Practice } from '../practices/practice.ts';
import { isExpired, type Session } from './session.ts';

export const linkRequests = ['possible', 'made'] as const;

/** Whether the patient asked for a new link within the last day. Until the day is over, asking again tells nobody. */
export function isLinkRequested({ linkRequestedAt }: Pick<Session, 'linkRequestedAt'>, now: number): boolean {
  return linkRequestedAt !== undefined && now < Date.parse(linkRequestedAt) + day;
}

/** Undefined if the patient cannot ask for a new link. */
export function linkRequestOf(
  session: Session,
  { suspendedAt, closedAt }: Pick<Practice, 'suspendedAt' | 'closedAt'>,
  now: number,
): (typeof linkRequests)[number] | undefined {
  if (!isExpired(session)) return undefined;
  if (isLinkRequested(session, now)) return 'made';
  return suspendedAt === undefined && closedAt === undefined ? 'possible' : undefined;
}
