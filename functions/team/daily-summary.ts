import type { Practice } from '../domain/practices/practice.ts';
import { longestLinkLife, type Session } from '../domain/sessions/session.ts';
import type { SessionEventType } from '../domain/sessions/transitions.ts';
import { daysIn, day as aDay, hour, toIso } from '../domain/time.ts';
import { firstSessionIdAt } from '../domain/identifier.ts';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import type { ReadingTools } from '../store/database.ts';
import { listPayments } from '../store/sessions/session-list.ts';
import { getSessions } from '../store/sessions/sessions.ts';
import { readEventsBetween } from '../store/webhooks/event-list.ts';

export interface Total {
  readonly count: number;
  readonly cents: number;
}

export interface DailySummary {
  readonly arrived: Total;
  readonly failed: Total;
  readonly returned: Total;
  /** A number of payments without a sum: a session knows only its total refunds, not those of one day. */
  readonly refunded: number;
  readonly refundFailed: number;
  readonly linkRequests: Total;
  /** As of now, not of the day. `isMore` if there are too many to add up. */
  readonly waiting: Total & { readonly isMore: boolean };
}

/** The widest time zones are 14 hours ahead of UTC, and 12 behind. */
const [ahead, behind] = [14 * hour, 12 * hour];

/**
 * What happened on a day in the practice's time zone. Reads that day's events only, so that the cost follows the day's traffic.
 * Undefined if nothing happened: links that wait to be paid are not news.
 */
export async function readDailySummary(
  { database }: ReadingTools,
  { practiceId, timeZone }: Pick<Practice, 'practiceId' | 'timeZone'>,
  day: string,
  now: number,
): Promise<DailySummary | undefined> {
  const midnight = Date.parse(day);
  const range = { from: toIso(midnight - ahead), to: toIso(midnight + aDay + behind) };
  const dayOf = daysIn(timeZone);
  const ofDay = (await readEventsBetween(database, practiceId, range)).filter(
    ({ position }) => dayOf(Date.parse(position.split('#')[0] ?? '')) === day,
  );
  const idsOf = (type: SessionEventType) =>
    new Set(ofDay.flatMap((event) => (event.type === type ? (sessionIdOfEvent(event.eventId) ?? []) : [])));
  const ids = {
    arrived: idsOf('session.payment.succeeded'),
    failed: idsOf('session.payment.failed'),
    returned: idsOf('session.payment.returned'),
    refunded: idsOf('session.payment.refunded'),
    refundFailed: idsOf('session.payment.refund_failed'),
    linkRequests: idsOf('session.payment.link_requested'),
  };
  const all = new Set(Object.values(ids).flatMap((each) => [...each]));
  if (all.size === 0) return undefined;
  const [sessions, pending] = await Promise.all([
    getSessions(database, [...all], { consistent: false }),
    listPayments(database, practiceId, { status: 'pending', since: firstSessionIdAt(now - longestLinkLife - aDay) }),
  ]);
  const total = (wanted: ReadonlySet<string>) => totalOf(sessions.filter(({ sessionId }) => wanted.has(sessionId)));
  return {
    arrived: total(ids.arrived),
    failed: total(ids.failed),
    returned: total(ids.returned),
    refunded: ids.refunded.size,
    refundFailed: ids.refundFailed.size,
    linkRequests: total(ids.linkRequests),
    waiting: {
      ...totalOf(pending.payments),
      isMore: !pending.complete,
    },
  };
}

function totalOf(payments: readonly Pick<Session, 'amountCents'>[]): Total {
  return { count: payments.length, cents: payments.reduce((sum, { amountCents }) => sum + amountCents, 0) };
}
