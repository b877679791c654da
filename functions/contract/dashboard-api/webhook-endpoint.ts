import * as z from 'zod/mini';
import { retryPolicies } from '../../domain/webhooks/retry-schedule.ts';
import { isoTime } from '../../domain/time.ts';
import { practiceParams } from './dashboard-route.ts';

/** Never includes a secret. */
export const endpointSummary = z.object({
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  /** Absent means every type. */
  eventTypes: z.optional(z.array(z.string())),
  /** Absent means `standard`. */
  retryPolicy: z.optional(z.enum(retryPolicies)),
  createdAt: isoTime,
  /** Absent if a person disabled it. */
  disabledReason: z.optional(z.enum(['gone', 'failing'])),
  disabledAt: z.optional(isoTime),
  failingSince: z.optional(isoTime),
  failedAttempts: z.optional(z.int()),
  circuitOpenUntil: z.optional(isoTime),
  previousSecretExpiresAt: z.optional(isoTime),
  /** Where a replay of what the endpoint missed should start. */
  missedSince: z.optional(isoTime),
});
export type EndpointSummary = z.infer<typeof endpointSummary>;

export const endpointParams = z.extend(practiceParams, { endpointId: z.string() });
