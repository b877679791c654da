import * as z from 'zod/mini';
import { tooManyEndpoints, urlNotAllowed } from '../webhooks/endpoint-problems.ts';
import { newEndpoint } from '../webhooks/webhook-endpoints.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const createdEndpoint = z.object({ endpointId: z.string(), url: z.string(), signingSecret: z.string() });

export const createWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Add a webhook endpoint',
  description: 'Returns its signing secret.',
  params: practiceParams,
  body: newEndpoint,
  status: 201,
  response: createdEndpoint,
  problems: { ...memberProblems, ...bodyProblems, ...urlNotAllowed, ...tooManyEndpoints },
} as const satisfies MemberRoute;
