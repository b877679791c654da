import * as z from 'zod/mini';
import { deliveryStatuses, shownDelivery } from '../../domain/webhooks/delivery.ts';
import { givenTime, isoTime } from '../../domain/time.ts';
import { endpointDisabled, endpointNotFound, managementProblems } from '../management-problems.ts';
import { invalidCursor, pageParameters, pageQuery } from '../page.ts';
import { bodyProblems, invalidRequest } from '../problems.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { aboutEndpoint, ofEndpoint } from './webhook-endpoints.ts';

export const listedDelivery = z.object({
  ...shownDelivery.shape,
  /** The event's practice: a platform's endpoint gets events from many. */
  practiceId: z.string(),
  /** Absent for a test, and if a practice joined or left. */
  sessionId: z.optional(z.string()),
});

export const deliveryPage = z.object({ data: z.array(listedDelivery), nextCursor: z.nullable(z.string()) });

export const resentEvent = z.object({ endpointId: z.string(), eventId: z.string() });

export const replayRequest = z.strictObject({ since: givenTime });
export const startedReplay = z.object({ since: isoTime, replayed: z.int(), more: z.boolean() });

export const practiceDeliveryRoutes = {
  listWebhookDeliveries: {
    ...aboutEndpoint('GET', '/deliveries'),
    summary: 'List deliveries',
    description:
      'The deliveries to an endpoint of the last 30 days, newest first, one page at a time. ' +
      'A page can be short or empty before the last one: only a `nextCursor` of `null` ends the list.',
    query: z.strictObject({ status: z.optional(z.enum(deliveryStatuses)), ...pageQuery }),
    parameters: { ...ofEndpoint, status: 'Only deliveries with this status.', ...pageParameters },
    response: deliveryPage,
    problems: { ...keyProblems, ...invalidRequest, ...invalidCursor, ...endpointNotFound },
  },
  resendWebhook: {
    ...aboutEndpoint('POST', '/deliveries/{eventId}/resend'),
    params: z.object({ endpointId: z.string(), eventId: z.string() }),
    parameters: { ...ofEndpoint, eventId: 'The `eventId` of the delivery.' },
    summary: 'Resend an event',
    description: 'Takes no body. Sends the same event with the same ID again, with the usual retries.',
    response: resentEvent,
    problems: {
      ...keyProblems,
      ...endpointNotFound,
      ...endpointDisabled,
      delivery_not_found: managementProblems.delivery_not_found,
      delivery_in_progress: managementProblems.delivery_in_progress,
    },
  },
  replayWebhooks: {
    ...aboutEndpoint('POST', '/replay'),
    summary: 'Replay missed events',
    description:
      'Sends what is `failed` or `skipped` since then again, at most 14 days back and 1,000 deliveries per call: while `more` is true, call it again. Safe to repeat.',
    body: replayRequest,
    response: startedReplay,
    problems: {
      ...keyProblems,
      ...bodyProblems,
      ...endpointNotFound,
      ...endpointDisabled,
      since_in_future: managementProblems.since_in_future,
    },
  },
} as const satisfies Readonly<Record<string, PracticeRoute>>;
