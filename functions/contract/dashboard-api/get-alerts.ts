import * as z from 'zod/mini';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';
import { memberSession } from './session.ts';
import { endpointSummary } from './webhook-endpoint.ts';

const alerts = z.object({
  /** Endpoints that are failing, or that we disabled. */
  endpoints: z.array(endpointSummary),
  /** Both lists: the last 30 days, newest first, at most 10. */
  failed: z.array(memberSession),
  returned: z.array(memberSession),
});
export type Alerts = z.infer<typeof alerts>;

export const getAlertsRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/alerts`,
  access: { role: 'viewer' },
  summary: 'List what needs attention',
  description: 'Webhook endpoints that fail, and payments that failed or were returned.',
  params: practiceParams,
  status: 200,
  response: alerts,
  problems: memberProblems,
} as const satisfies MemberRoute;
