import * as z from 'zod/mini';
import { endpointDisabled, endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { endpointParams } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const testWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}/test`,
  access: { role: 'admin' },
  summary: 'Send a test event',
  description: "Poll the delivery for the receiver's answer.",
  params: endpointParams,
  status: 200,
  response: z.object({ eventId: z.string(), endpointId: z.string() }),
  problems: { ...memberProblems, ...endpointNotFound, ...endpointDisabled },
} as const satisfies MemberRoute;
