import * as z from 'zod/mini';
import { retryPolicies } from '../../domain/webhooks/retry-schedule.ts';
import { isoTime } from '../../domain/time.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { endpointDisabled, endpointNotFound } from '../management-problems.ts';

export const endpointsPath = '/api/practice/webhook-endpoints';
export const endpointPath = `${endpointsPath}/{endpointId}` as const;

/** What a practice's route about one endpoint has, unless it says otherwise. */
export const aboutEndpoint = {
  ...takesNothing,
  path: endpointPath,
  scope: 'webhooks:write',
  platform: 'too',
  params: z.object({ endpointId: z.string() }),
  parameters: { endpointId: 'The `endpointId` of the webhook endpoint.' },
  status: 200,
} as const;

/** Never includes a secret. */
export const webhookEndpointBody = z.object({
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  eventTypes: z.optional(z.array(z.string())),
  practiceIds: z.optional(z.array(z.string())),
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

export const webhookEndpointList = z.object({ data: z.array(webhookEndpointBody) });

export const listWebhookEndpointsRoute = {
  ...takesNothing,
  method: 'GET',
  path: endpointsPath,
  scope: 'webhooks:write',
  platform: 'too',
  summary: 'List webhook endpoints',
  description: 'Every endpoint of the practice, without its secret. Strongly consistent.',
  status: 200,
  response: webhookEndpointList,
  problems: keyProblems,
} as const satisfies PracticeRoute;

export const getWebhookEndpointRoute = {
  ...aboutEndpoint,
  method: 'GET',
  summary: 'Get a webhook endpoint',
  description: 'Without its secret. Strongly consistent.',
  response: webhookEndpointBody,
  problems: { ...keyProblems, ...endpointNotFound },
} as const satisfies PracticeRoute;

export const sentTestEvent = z.object({ endpointId: z.string(), eventId: z.string() });

export const testWebhookEndpointRoute = {
  ...aboutEndpoint,
  method: 'POST',
  path: `${endpointPath}/test`,
  summary: 'Send a test event',
  description:
    'Takes no body. Sends a `webhook.test` event with this `eventId` to the endpoint, with the usual retries.',
  response: sentTestEvent,
  problems: {
    ...keyProblems,
    ...endpointNotFound,
    ...endpointDisabled,
  },
} as const satisfies PracticeRoute;

export const deletedWebhookEndpoint = z.object({ endpointId: z.string(), status: z.literal('deleted') });

export const deleteWebhookEndpointRoute = {
  ...aboutEndpoint,
  platform: 'itself',
  method: 'DELETE',
  summary: 'Delete a webhook endpoint',
  description: "Nothing more is sent to it, not even retries. The practice's admins get an email.",
  response: deletedWebhookEndpoint,
  problems: { ...keyProblems, ...endpointNotFound },
} as const satisfies PracticeRoute;
