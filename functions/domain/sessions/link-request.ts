import { day } from '../time.ts';
import type { Practice } from '../practices/practice.ts';
import { isExpired, type Session } from './session.ts';

export const linkRequests = ['possible', 'made'] as const;

type Requested = Pick<Session, 'tokenHash' | 'linkRequestedAt' | 'linkRequestedThrough'>;

/** Undefined if the patient has got a new link since. */
export function linkRequestTime(session: Requested): string | undefined {
  return session.linkRequestedThrough === session.tokenHash ? session.linkRequestedAt : undefined;
}

/** Whether the patient asked for a new link within the last day. Until the day is over, asking again tells nobody. */
export function isLinkRequested(session: Requested, now: number): boolean {
  const requestedAt = linkRequestTime(session);
  return requestedAt !== undefined && now < Date.parse(requestedAt) + day;
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
