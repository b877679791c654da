import * as z from 'zod/mini';
import { endpointSummary } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const listWebhookEndpointsRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/webhook-endpoints`,
  access: { role: 'viewer' },
  summary: 'List webhook endpoints',
  description: 'Never includes a secret.',
  params: practiceParams,
  status: 200,
  response: z.object({ endpoints: z.array(endpointSummary) }),
  problems: memberProblems,
} as const satisfies MemberRoute;
