import type * as z from 'zod/mini';
import type { home } from '../contract/team/dashboard-home.ts';
import { firstSessionIdAt } from '../domain/identifier.ts';
import { longestLinkLife } from '../domain/sessions/session.ts';
import { daysIn, daysUntil, day, toIso } from '../domain/time.ts';
import { givenBack } from '../domain/payments/refund.ts';
import { goLiveSteps } from '../practices/go-live.ts';
import { listApiKeys } from '../store/practices/api-keys.ts';
import type { ModeTools } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { hasSession, listPayments, readRefunds } from '../store/sessions/session-list.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';

type Home = z.input<typeof home>;

/** Costs one more batch read per 100. */
const mostRefunds = 1_000;
const daysShown = 30;
/** A link can live that long before its debit is authorized, which settles within days. */
const oldestSession = longestLinkLife + (daysShown + 30) * day;

/** The setup steps, and what was paid and what is on its way for each of the last 30 days. */
export async function getHome(
  { database, mode }: ModeTools,
  { practiceId }: { readonly practiceId: string },
  now: number,
): Promise<Home> {
  const since = firstSessionIdAt(now - oldestSession);
  const [practice, keys, endpoints, session, paidSession, succeeded, processing, refunded] = await Promise.all([
    getExistingPractice(database, practiceId),
    listApiKeys(database, practiceId),
    listWebhookEndpoints(database, practiceId),
    hasSession(database, practiceId, false),
    hasSession(database, practiceId, true),
    listPayments(database, practiceId, { status: 'succeeded', since }),
    listPayments(database, practiceId, { status: 'processing', since }),
    readRefunds(database, practiceId, since, mostRefunds),
  ]);
  const { timeZone } = practice;
  const { contact, branding, deposit, webhookDelivered, terms } = goLiveSteps(practice, endpoints);
  const dayOf = daysIn(timeZone);
  const days = new Map<string, Home['days'][number]>();
  for (const each of daysUntil(dayOf(now), daysShown))
    days.set(each, { day: each, paid: { count: 0, cents: 0 }, onItsWay: { count: 0, cents: 0 } });

  const add = (column: 'paid' | 'onItsWay', time: string | undefined, cents: number) => {
    const total = time === undefined ? undefined : days.get(dayOf(Date.parse(time)))?.[column];
    if (!total) return;
    total.count += 1;
    total.cents += cents;
  };
  const refunds = new Map(refunded.map(({ sessionId, refund }) => [sessionId, givenBack(refund)]));
  for (const { sessionId, amountCents, settledAt, return: returned } of succeeded.payments) {
    const kept = amountCents - (refunds.get(sessionId) ?? 0);
    if (!returned && kept > 0) add('paid', settledAt, kept);
  }
  for (const payment of processing.payments) add('onItsWay', payment.processingAt, payment.amountCents);

  return {
    checklist: {
      apiKey: keys.some(({ revokedAt, expiresAt }) => !revokedAt && (!expiresAt || expiresAt > toIso(now))),
      webhookEndpoint: endpoints.length > 0,
      webhookDelivered,
      contact,
      branding,
      session,
      paidSession,
      ...(mode === 'live' && { deposit, terms }),
    },
    timeZone,
    days: [...days.values()],
    complete: succeeded.complete && processing.complete && refunded.length < mostRefunds,
  };
}
