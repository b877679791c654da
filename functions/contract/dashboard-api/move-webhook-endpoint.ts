import { endpointNotFound, urlNotAllowed } from '../webhooks/endpoint-problems.ts';
import { endpointMove } from '../webhooks/webhook-endpoints.ts';
import { bodyProblems } from '../problems.ts';
import { endpointParams, endpointSummary } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const moveWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}/url`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Move a webhook endpoint',
  description: 'Sends all further attempts to another URL.',
  params: endpointParams,
  body: endpointMove,
  status: 200,
  response: endpointSummary,
  problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound, ...urlNotAllowed },
} as const satisfies MemberRoute;
