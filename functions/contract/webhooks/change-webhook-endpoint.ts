import { endpointNotFound, urlNotAllowed } from './endpoint-problems.ts';
import { endpointUpdate } from './webhook-endpoints.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { endpointParameters, endpointParams, endpointPath, webhookEndpointBody } from './webhook-endpoint.ts';

export const changeWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: endpointPath,
  scope: 'webhooks:write',
  summary: 'Change a webhook endpoint',
  description:
    'An absent field keeps its value. A new URL applies to the next attempt of every delivery. ' +
    'While an endpoint is disabled, nothing is sent to it. ' +
    "The practice's admins get an email about a new URL.",
  params: endpointParams,
  parameters: endpointParameters,
  body: endpointUpdate,
  status: 200,
  response: webhookEndpointBody,
  problems: { ...keyProblems, ...bodyProblems, ...endpointNotFound, ...urlNotAllowed },
} as const satisfies PracticeRoute;
