import * as z from 'zod/mini';
import { endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { endpointParams } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const deleteWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}/delete`,
  access: { role: 'admin' },
  summary: 'Delete a webhook endpoint',
  description: 'Its deliveries are no longer sent.',
  params: endpointParams,
  status: 200,
  response: z.object({ endpointId: z.string(), status: z.literal('deleted') }),
  problems: { ...memberProblems, ...endpointNotFound },
} as const satisfies MemberRoute;
