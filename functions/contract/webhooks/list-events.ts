import * as z from 'zod/mini';
import { eventType } from '../../domain/webhooks/event.ts';
import { givenTime, isoTime } from '../../domain/time.ts';
import { invalidRequest } from '../problems.ts';
import { asArray, invalidCursor, pageParameters, pageQuery } from '../page.ts';
import { keyProblems, type PracticeRoute, withKey } from '../practice-route.ts';
import { sessionNotFound } from '../sessions/session.ts';

export const listedEvent = z.object({
  eventId: z.string(),
  type: eventType,
  createdAt: isoTime,
  sessionId: z.optional(z.string()),
  body: z.string(),
});

export const eventList = z.object({ data: z.array(listedEvent), nextCursor: z.nullable(z.string()) });

export const listEventsRoute = {
  ...withKey('events:read', 'GET', '/api/practice/events'),
  platform: 'too',
  summary: 'List events',
  description:
    "Events of the last 30 days, newest first, one page at a time. Each has the webhook's body, so that you can recover webhooks that you missed. " +
    'A page can be short or empty before the last one: only a `nextCursor` of `null` ends the list. ' +
    'Eventually consistent: an event can take a moment to show. With `sessionId` the list is strongly consistent.',
  query: z.strictObject({
    type: z.optional(z.pipe(asArray, z.array(eventType))),
    sessionId: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    since: z.optional(givenTime),
    ...pageQuery,
  }),
  parameters: {
    type: 'Only events of this type. Can be repeated.',
    sessionId: 'Only events of this session.',
    since: 'Only events created at this time or later.',
    ...pageParameters,
  },
  response: eventList,
  problems: { ...keyProblems, ...invalidRequest, ...invalidCursor, ...sessionNotFound },
} as const satisfies PracticeRoute;
