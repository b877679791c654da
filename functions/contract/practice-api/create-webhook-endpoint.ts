import * as z from 'zod/mini';
import { tooManyEndpoints, urlNotAllowed } from '../endpoint-problems.ts';
import { newEndpoint } from '../practices.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from './practice-route.ts';
import { endpointsPath, webhookEndpointBody } from './webhook-endpoint.ts';

export const createdWebhookEndpoint = z.extend(webhookEndpointBody, { signingSecret: z.string() });

export const createWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: endpointsPath,
  scope: 'webhooks:write',
  summary: 'Create a webhook endpoint',
  description:
    'The response is the only one with the `signingSecret`. The first events can arrive before it does. ' +
    "The practice's admins are told by e-mail. A retry creates another endpoint: if the response is lost, list the endpoints and rotate the new one's secret.",
  body: newEndpoint,
  status: 201,
  response: createdWebhookEndpoint,
  problems: {
    ...keyProblems,
    ...bodyProblems,
    ...urlNotAllowed,
    ...tooManyEndpoints,
  },
} as const satisfies PracticeRoute;
