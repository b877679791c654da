import * as z from 'zod/mini';
import { endpointNotFound } from './endpoint-problems.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { endpointParameters, endpointParams, endpointPath } from './webhook-endpoint.ts';

export const deletedWebhookEndpoint = z.object({ endpointId: z.string(), status: z.literal('deleted') });

export const deleteWebhookEndpointRoute = {
  ...takesNothing,
  method: 'DELETE',
  path: endpointPath,
  scope: 'webhooks:write',
  summary: 'Delete a webhook endpoint',
  description: "Nothing more is sent to it, not even retries. The practice's admins get an email.",
  params: endpointParams,
  parameters: endpointParameters,
  status: 200,
  response: deletedWebhookEndpoint,
  problems: { ...keyProblems, ...endpointNotFound },
} as const satisfies PracticeRoute;
