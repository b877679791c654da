import * as z from 'zod/mini';
import { testEventType } from './event.ts';
import { isoTime } from '../time.ts';
import { sessionEventTypes } from '../sessions/transitions.ts';

export const eventType = z.enum([...sessionEventTypes, testEventType]);
export type EventType = z.infer<typeof eventType>;

export const eventRow = z.object({
  eventId: z.string(),
  sessionId: z.optional(z.string()),
  practiceId: z.string(),
  type: eventType,
  createdAt: isoTime,
  body: z.string(),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type EventRow = z.infer<typeof eventRow>;

const expiration = z.object({ data: z.object({ cancellation: z.object({ reason: z.literal('expired') }) }) });

/** An expiration's `createdAt` is when the session expired, up to minutes before the sweep noticed. */
export function isExpiration({ body }: Pick<EventRow, 'body'>): boolean {
  return z.safeParse(expiration, JSON.parse(body)).success;
}

const fields = z.record(z.string(), z.unknown());

/** Leaves the rest of the body as it is, byte for byte. */
export function withoutMetadata(body: string): string {
  const event = z.parse(fields, JSON.parse(body));
  return JSON.stringify({ ...event, data: { ...z.parse(fields, event['data']), metadata: {} } });
}
