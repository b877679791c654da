import type { Session } from '../sessions/session.ts';
import { sessionEvents, type SessionEventType, type SessionStatus } from '../sessions/transitions.ts';

export const webhookApiVersion = '2026-11-20';

/** Events are kept for 30 days, and at that age a patient can only ask for a new link, once a day. */
export const mostEvents = 32;

/** The IDs of all the session's events that can still be stored. */
export function sessionEventIds({ sessionId, sequence }: Pick<Session, 'sessionId' | 'sequence'>): string[] {
  const dropped = Math.max(sequence - mostEvents, 0);
  return Array.from({ length: sequence - dropped }, (_, index) => sessionEventId(sessionId, dropped + index + 1));
}

/** Made from session and sequence, so an event has only one ID. Without dots (Standard Webhooks). */
export function sessionEventId(sessionId: string, sequence: number): string {
  return `evt_${sessionId.slice('ses_'.length)}_${sequence}`;
}

export function sessionIdOfEvent(eventId: string): string | undefined {
  const [, ulid] = /^evt_(\w{26})_\d+$/.exec(eventId) ?? [];
  return ulid && `ses_${ulid}`;
}

export const testEventType = 'webhook.test';

export interface TestEvent {
  readonly eventId: string;
  readonly practiceId: string;
  readonly livemode: boolean;
}

export function testEventBody({ eventId, practiceId, livemode }: TestEvent, createdAt: string): string {
  return JSON.stringify({
    id: eventId,
    type: testEventType,
    created_at: createdAt,
    api_version: webhookApiVersion,
    livemode,
    practiceId,
    data: {},
  });
}

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
    practiceId: session.practiceId,
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

function factsOf(type: SessionEventType, session: Session): object {
  const { facts: always, ...event } = sessionEvents[type];
  const facts: readonly (keyof Session)[] = [...always, ...('sometimes' in event ? event.sometimes : [])];
  return Object.fromEntries(facts.map((fact) => [fact, session[fact]]));
}
