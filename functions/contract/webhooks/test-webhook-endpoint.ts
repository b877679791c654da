import * as z from 'zod/mini';
import { endpointDisabled, endpointNotFound } from './endpoint-problems.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { endpointParameters, endpointParams, endpointPath } from './webhook-endpoint.ts';

export const sentTestEvent = z.object({ endpointId: z.string(), eventId: z.string() });

export const testWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${endpointPath}/test`,
  scope: 'webhooks:write',
  summary: 'Send a test event',
  description:
    'Takes no body. Sends a `webhook.test` event with this `eventId` to the endpoint, with the usual retries.',
  params: endpointParams,
  parameters: endpointParameters,
  status: 200,
  response: sentTestEvent,
  problems: {
    ...keyProblems,
    ...endpointNotFound,
    ...endpointDisabled,
  },
} as const satisfies PracticeRoute;
