import { sessionEventIds } from '../domain/webhooks/event.ts';
import { pick } from '../domain/pick.ts';
import { bankConnectionAttemptsRemaining, type Session } from '../domain/sessions/session.ts';
import type { Database } from '../store/database.ts';
import { listDeliveriesOfEvent } from '../store/webhooks/delivery-log.ts';
import { getEvents } from '../store/webhooks/events.ts';

/** A session's events, which are kept for 30 days, and their deliveries. */
export async function getSessionDetail(
  { database }: { readonly database: Database<'events' | 'deliveries'> },
  session: Session,
) {
  const events = await getEvents(database, sessionEventIds(session));
  return {
    bankConnectionAttemptsRemaining: bankConnectionAttemptsRemaining(session),
    ...pick(session, [
      'linkReplacedAt',
      'extensions',
      'extendedAt',
      'bankConnectedAt',
      'bankAccount',
      'cancelRequestedAt',
    ]),
    events: await Promise.all(
      events.map(async (event) => ({
        ...pick(event, ['eventId', 'type', 'createdAt', 'body']),
        isSending: event.dueShard !== undefined,
        deliveries: await listDeliveriesOfEvent(database, event.eventId),
      })),
    ),
  };
}
