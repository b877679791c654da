import * as z from 'zod/mini';
import { endpointDisabled, endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { managementProblems } from '../management-problems.ts';
import { since } from '../since.ts';
import { bodyProblems } from '../problems.ts';
import { isoTime } from '../../domain/time.ts';
import { endpointParams } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const replayWebhookEndpointRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}/replay`,
  access: { role: 'staff' },
  summary: 'Replay missed deliveries',
  description: 'Sends failed and skipped deliveries again, at most 14 days back.',
  params: endpointParams,
  body: z.strictObject({ since }),
  status: 200,
  response: z.object({ since: isoTime, replayed: z.int(), more: z.boolean() }),
  problems: {
    ...memberProblems,
    ...bodyProblems,
    ...endpointNotFound,
    ...endpointDisabled,
    since_in_future: managementProblems.since_in_future,
  },
} as const satisfies MemberRoute;
