import * as z from 'zod/mini';
import { retryPolicies } from '../../domain/webhooks/retry-schedule.ts';
import { isoTime } from '../../domain/time.ts';

export const endpointsPath = '/api/practice/webhook-endpoints';
export const endpointPath = `${endpointsPath}/{endpointId}` as const;
export const endpointParams = z.object({ endpointId: z.string() });
export const endpointParameters = { endpointId: 'The `endpointId` of the webhook endpoint.' };

/** Never includes a secret. */
export const webhookEndpointBody = z.object({
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  eventTypes: z.optional(z.array(z.string())),
  retryPolicy: z._default(z.enum(retryPolicies), 'standard'),
  createdAt: isoTime,
  disabledReason: z.optional(z.enum(['gone', 'failing'])),
  disabledAt: z.optional(isoTime),
  failingSince: z.optional(isoTime),
  lastFailure: z.optional(
    z.object({
      statusCode: z.optional(z.int()),
      /** Not an enum, which generated clients could not read once there is another reason. */
      error: z.optional(z.string()),
      redirectsTo: z.optional(z.string()),
    }),
  ),
  previousSecretExpiresAt: z.optional(isoTime),
});
