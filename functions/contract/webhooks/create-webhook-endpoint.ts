import * as z from 'zod/mini';
import { tooManyEndpoints, urlNotAllowed } from './endpoint-problems.ts';
import { newEndpoint } from './webhook-endpoints.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { idempotencyHeaders, idempotencyProblems, replayable } from '../idempotency.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
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
    "The practice's admins get an email. Send an `Idempotency-Key` to make retries safe: for 24 hours, the same key with the same body returns the original response, and concurrent duplicates create one endpoint. " +
    'It does so even if the endpoint was deleted since: to create it again, use a new key. A rejected request does not use up its key.',
  ...idempotencyHeaders,
  body: newEndpoint,
  status: 201,
  response: createdWebhookEndpoint,
  ...replayable,
  problems: {
    ...keyProblems,
    ...bodyProblems,
    ...idempotencyProblems,
    ...urlNotAllowed,
    ...tooManyEndpoints,
  },
} as const satisfies PracticeRoute;
