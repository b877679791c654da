import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { sessionNotFound, sessionPath, sessionPathDescriptions, sessionStatusBody } from './session.ts';

export const getSessionStatusRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/api/practice/sessions/{sessionId}/status',
  scope: 'sessions:read',
  summary: "Get a session's status",
  description:
    'Strongly consistent: it reflects every change made before the request, including expiry. ' +
    "Use it for reconciliation; webhooks report outcomes sooner. Another practice's session is reported as not found.",
  params: sessionPath,
  parameters: sessionPathDescriptions,
  status: 200,
  response: sessionStatusBody,
  problems: { ...keyProblems, ...sessionNotFound },
} as const satisfies PracticeRoute;
