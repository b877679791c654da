import * as z from 'zod/mini';
import { aboutOwner, memberProblems, type MemberRoute, practiceParams } from '../dashboard-route.ts';
import { managementProblems, endpointDisabled, endpointNotFound } from '../management-problems.ts';
import { invalidCursor } from '../page.ts';
import { invalidRequest, type Problems } from '../problems.ts';
import { sessionNotFound } from '../sessions/session.ts';
import { attempt, delivery, deliveryStatuses, shownDelivery } from '../../domain/webhooks/delivery.ts';

export const deliverySummary = z.object({
  ...shownDelivery.shape,
  ...z.pick(delivery, { eventPracticeId: true, movedPracticeId: true }).shape,
  /** Set only on a platform's delivery, while the practice it is about belongs to the platform. */
  practiceName: z.optional(z.string()),
  /** Absent for a test, and if a practice joined or left. */
  sessionId: z.optional(z.string()),
});
export type DeliverySummary = z.infer<typeof deliverySummary>;

const deliveryDetail = z.object({
  delivery: deliverySummary,
  /** The webhook's body, byte for byte. Absent 30 days after the event. */
  body: z.optional(z.string()),
  attempts: z.array(z.omit(attempt, { deliveryId: true })),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

const deliveryParams = z.extend(practiceParams, { eventId: z.string(), endpointId: z.string() });
const deliveryStatus = z.enum(deliveryStatuses);

const deliveryNotFound = {
  delivery_not_found: managementProblems.delivery_not_found,
} as const satisfies Problems;

const listDeliveriesQuery = z.strictObject({
  status: z.optional(deliveryStatus),
  endpointId: z.optional(z.string().check(z.maxLength(100))),
  sessionId: z.optional(z.string().check(z.maxLength(100))),
  cursor: z.optional(z.string().check(z.maxLength(4000))),
});

const deliveryList = z.object({ data: z.array(deliverySummary), nextCursor: z.nullable(z.string()) });

export const deliveryRoutes = {
  listDeliveries: {
    ...aboutOwner({ role: 'viewer' }, 'GET', '/deliveries'),
    summary: 'List webhook deliveries',
    description: 'Newest first. A page can be short or empty: a null `nextCursor` alone ends the list.',
    query: listDeliveriesQuery,
    response: deliveryList,
    problems: { ...memberProblems, ...invalidRequest, ...sessionNotFound, ...endpointNotFound, ...invalidCursor },
  },
  getDelivery: {
    ...aboutOwner({ role: 'viewer' }, 'GET', '/deliveries/{eventId}/{endpointId}'),
    summary: 'Show a delivery',
    description: 'With every attempt.',
    params: deliveryParams,
    response: deliveryDetail,
    problems: { ...memberProblems, ...deliveryNotFound },
  },
  resendDelivery: {
    ...aboutOwner({ role: 'staff' }, 'POST', '/deliveries/{eventId}/{endpointId}/resend'),
    summary: 'Resend a delivery',
    description: 'Sends the same event with the same id.',
    params: deliveryParams,
    response: z.object({ eventId: z.string(), endpointId: z.string() }),
    problems: {
      ...memberProblems,
      ...deliveryNotFound,
      ...endpointNotFound,
      ...endpointDisabled,
      delivery_in_progress: managementProblems.delivery_in_progress,
    },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
