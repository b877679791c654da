import * as z from 'zod/mini';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { endpointsPath, webhookEndpointBody } from './webhook-endpoint.ts';

export const webhookEndpointList = z.object({ data: z.array(webhookEndpointBody) });

export const listWebhookEndpointsRoute = {
  ...takesNothing,
  method: 'GET',
  path: endpointsPath,
  scope: 'webhooks:write',
  summary: 'List webhook endpoints',
  description: 'Every endpoint of the practice, without its secret. Strongly consistent.',
  status: 200,
  response: webhookEndpointList,
  problems: keyProblems,
} as const satisfies PracticeRoute;
