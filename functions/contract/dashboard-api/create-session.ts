import { managementProblems } from '../management-problems.ts';
import { createdSession, createSessionBody } from '../sessions/create-session.ts';
import { idempotencyHeaders, idempotencyProblems } from '../idempotency.ts';
import { bodyProblems, practiceClosed, practiceSuspended } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const createSessionRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/sessions`,
  access: { role: 'staff' },
  summary: 'Create a session',
  description: 'Returns its link, which is shown only once. Fails for a practice that is not ready for live payments.',
  ...idempotencyHeaders,
  params: practiceParams,
  body: createSessionBody,
  status: 201,
  response: createdSession,
  problems: {
    ...memberProblems,
    ...bodyProblems,
    ...idempotencyProblems,
    ...practiceSuspended,
    ...practiceClosed,
    not_ready_for_live: managementProblems.not_ready_for_live,
  },
} as const satisfies MemberRoute;
