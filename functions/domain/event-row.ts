import * as z from 'zod/mini';
import { testEventType } from './event.ts';
import { isoTime } from './time.ts';
import { sessionEventTypes } from './transitions.ts';

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

const fields = z.record(z.string(), z.unknown());

/** The same body otherwise, byte for byte. */
export function withoutMetadata(body: string): string {
  const event = z.parse(fields, JSON.parse(body));
  return JSON.stringify({ ...event, data: { ...z.parse(fields, event['data']), metadata: {} } });
}
