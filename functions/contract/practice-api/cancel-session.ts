import * as z from 'zod/mini';
import { isoTime } from '../../domain/time.ts';
import type { Problems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from './practice-route.ts';
import { sessionNotFound, sessionPath, sessionPathDescriptions } from './session.ts';

export const cancelledSession = z.object({
  sessionId: z.string(),
  status: z.literal('cancelled'),
  cancelledAt: isoTime,
});

export const cancellationProblems = {
  session_not_cancellable: { status: 409, title: 'The session can no longer be cancelled.' },
  payment_not_voidable: { status: 409, title: 'The debit can no longer be voided.' },
  cancellation_pending: { status: 409, title: 'The cancellation is still pending.' },
} as const satisfies Problems;

export const cancelSessionRoute = {
  ...takesNothing,
  method: 'POST',
  path: '/api/practice/sessions/{sessionId}/cancel',
  scope: 'sessions:write',
  summary: 'Cancel a session',
  description:
    'Takes no body. Cancels a session that is `pending`, or `processing` while the debit can still be voided. This is not a refund. ' +
    'Strongly consistent. If the bank has not responded yet, the response is `cancellation_pending`: the service keeps retrying, and a webhook reports the outcome.',
  params: sessionPath,
  parameters: sessionPathDescriptions,
  status: 200,
  response: cancelledSession,
  problems: {
    ...keyProblems,
    ...sessionNotFound,
    ...cancellationProblems,
  },
} as const satisfies PracticeRoute;
