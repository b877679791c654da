import * as z from 'zod/mini';
import { attempt, delivery, deliveryStatuses } from '../../domain/webhooks/delivery.ts';
import { managementProblems } from '../management-problems.ts';
import type { Problems } from '../problems.ts';
import { practiceParams } from './dashboard-route.ts';

export const deliverySummary = z.object({
  ...z.pick(delivery, {
    eventId: true,
    endpointId: true,
    eventType: true,
    status: true,
    attempts: true,
    createdAt: true,
    nextAttemptAt: true,
    deliveredAt: true,
  }).shape,
  /** Absent for a test event. */
  sessionId: z.optional(z.string()),
});
export type DeliverySummary = z.infer<typeof deliverySummary>;

export const deliveryDetail = z.object({
  delivery: deliverySummary,
  /** The webhook's body, byte for byte. Absent 30 days after the event. */
  body: z.optional(z.string()),
  attempts: z.array(z.omit(attempt, { deliveryId: true })),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const deliveryParams = z.extend(practiceParams, { eventId: z.string(), endpointId: z.string() });
export const deliveryStatus = z.enum(deliveryStatuses);

export const deliveryNotFound = {
  delivery_not_found: managementProblems.delivery_not_found,
} as const satisfies Problems;
