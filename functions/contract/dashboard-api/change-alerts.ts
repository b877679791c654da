import * as z from 'zod/mini';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';
import { memberNotFound } from './member.ts';

const alertsChange = z.strictObject({ wantsAlerts: z.boolean() });

export const changeAlertsRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/team/alerts`,
  access: { role: 'viewer' },
  summary: 'Change your own alerts',
  description: 'Whether you get an email when a payment is returned or an endpoint fails.',
  params: practiceParams,
  body: alertsChange,
  status: 200,
  response: alertsChange,
  problems: { ...memberProblems, ...bodyProblems, ...memberNotFound },
} as const satisfies MemberRoute;
