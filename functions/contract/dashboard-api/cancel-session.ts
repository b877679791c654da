import { cancellationProblems, cancelledSession } from '../sessions/cancel-session.ts';
import { sessionNotFound } from '../sessions/session.ts';
import { sessionParams } from './session.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const cancelSessionRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/sessions/{sessionId}/cancel`,
  access: { role: 'staff' },
  summary: 'Cancel a session',
  description: 'As in the practice API.',
  params: sessionParams,
  status: 200,
  response: cancelledSession,
  problems: { ...memberProblems, ...sessionNotFound, ...cancellationProblems },
} as const satisfies MemberRoute;
