import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { sessionNotFound, sessionPath, sessionPathDescriptions, sessionStatusBody } from './session.ts';

export const advanceSessionRoute = {
  ...takesNothing,
  method: 'POST',
  path: '/api/practice/sandbox/sessions/{sessionId}/advance',
  scope: 'sessions:write',
  summary: "Perform the bank's next outcome",
  description:
    "Sandbox only. Takes no body. Performs the sandbox bank's next outcome now instead of after its delay: the first one of a debit that the patient authorized, or a late return. From then on, the debit's further outcomes wait for this call. Returns the status afterward.",
  params: sessionPath,
  parameters: sessionPathDescriptions,
  status: 200,
  response: sessionStatusBody,
  problems: {
    ...keyProblems,
    ...sessionNotFound,
    no_outcome_pending: { status: 409, title: 'No outcome is pending.' },
  },
} as const satisfies PracticeRoute;
