import type { Session } from './session.ts';
import { sessionEvents, type SessionEventType, type SessionStatus } from './transitions.ts';

/** The version of the webhook's body; it changes only when receivers would have to. */
export const webhookApiVersion = '2026-11-20';

/** An event's id follows from its session and sequence, so that no fact is ever sent under two ids. It holds no dot (Standard Webhooks). */
export function sessionEventId(sessionId: string, sequence: number): string {
  return `evt_${sessionId.slice('ses_'.length)}_${sequence}`;
}

/** The type of the event that an endpoint's owner sends to try it. */
export const testEventType = 'webhook.test';

/** The body of a test webhook: an event like any other, about nothing. */
export function testEventBody(eventId: string, livemode: boolean, createdAt: string): string {
  return JSON.stringify({
    id: eventId,
    type: testEventType,
    created_at: createdAt,
    api_version: webhookApiVersion,
    livemode,
    data: {},
  });
}

/** The facts that an event of this type adds to `data`. */
function factsOf(type: SessionEventType, session: Session): object {
  const facts: readonly (keyof Session)[] = sessionEvents[type].facts;
  return Object.fromEntries(facts.map((fact) => [fact, session[fact]]));
}

/** The body of a webhook, serialized once: the session as it is after the transition. It never holds the patient's name. */
export function sessionEventBody(
  type: SessionEventType,
  session: Session,
  previousStatus: SessionStatus,
  createdAt: string,
): string {
  return JSON.stringify({
    id: sessionEventId(session.sessionId, session.sequence),
    type,
    created_at: createdAt,
    api_version: webhookApiVersion,
    livemode: session.livemode,
    data: {
      sessionId: session.sessionId,
      invoiceId: session.invoiceId,
      amountCents: session.amountCents,
      status: session.status,
      previousStatus,
      sequence: session.sequence,
      ...factsOf(type, session),
      metadata: session.metadata,
    },
  });
}
