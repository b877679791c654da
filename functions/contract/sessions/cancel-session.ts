import * as z from 'zod/mini';
import { isoTime } from '../../domain/time.ts';
import { invalidRequest, type Problems } from '../problems.ts';
import { idempotencyHeaders, idempotencyProblems, replayable } from '../idempotency.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { aboutSession, sessionNotFound, sessionPathDescriptions } from './session.ts';

export const cancelledSession = z.object({
  sessionId: z.string(),
  status: z.literal('cancelled'),
  cancelledAt: isoTime,
});
export type CancelledSession = z.infer<typeof cancelledSession>;

export const cancellationProblems = {
  session_not_cancellable: { status: 409, title: 'The session can no longer be cancelled.' },
  payment_not_voidable: { status: 409, title: 'The debit can no longer be voided.' },
  cancellation_pending: { status: 409, title: 'The cancellation is still pending.' },
} as const satisfies Problems;

export const cancelSessionRoute = {
  ...aboutSession,
  method: 'POST',
  path: '/api/practice/sessions/{sessionId}/cancel',
  scope: 'sessions:write',
  summary: 'Cancel a session',
  description:
    'Takes no body. Cancels a session that is `pending`, or `processing` while the debit can still be voided. This is not a refund. ' +
    'Strongly consistent. If the bank has not responded yet, the response is `cancellation_pending`: the service keeps retrying, and a webhook reports the outcome. ' +
    'Send an `Idempotency-Key` to make retries safe: a repeated cancellation then returns the original response instead of `session_not_cancellable`.',
  headers: idempotencyHeaders.headers,
  parameters: { ...sessionPathDescriptions, ...idempotencyHeaders.parameters },
  response: cancelledSession,
  ...replayable,
  problems: {
    ...keyProblems,
    ...sessionNotFound,
    ...cancellationProblems,
    ...invalidRequest,
    ...idempotencyProblems,
  },
} as const satisfies PracticeRoute;
