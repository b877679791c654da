import * as z from 'zod/mini';
import { endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { bodyProblems } from '../problems.ts';
import { endpointParams, endpointSummary } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const setWebhookEndpointStatusRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}/status`,
  access: { role: 'admin' },
  summary: 'Enable or disable a webhook endpoint',
  description: 'Webhooks that a disabled endpoint misses can be replayed.',
  params: endpointParams,
  body: z.strictObject({ status: z.enum(['enabled', 'disabled']) }),
  status: 200,
  response: endpointSummary,
  problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound },
} as const satisfies MemberRoute;
