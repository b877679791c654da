import { endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { endpointFilters } from '../webhooks/webhook-endpoints.ts';
import { bodyProblems } from '../problems.ts';
import { endpointParams, endpointSummary } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const changeWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}`,
  access: { role: 'admin' },
  summary: 'Change a webhook endpoint',
  description: 'Its event types and retry policy.',
  params: endpointParams,
  body: endpointFilters,
  status: 200,
  response: endpointSummary,
  problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound },
} as const satisfies MemberRoute;
