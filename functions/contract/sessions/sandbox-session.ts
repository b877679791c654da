import * as z from 'zod/mini';
import { sandboxUserNames } from '../../domain/payments/sandbox-bank.ts';
import { bodyProblems, practiceSuspended, type Problems } from '../problems.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { aboutSession, sessionNotFound, sessionStatusBody } from './session.ts';

export const simulateSessionBody = z.strictObject({ as: z.enum([...sandboxUserNames, 'expire']) });

const simulationProblems = {
  ...practiceSuspended,
  session_not_pending: { status: 409, title: 'The session is not pending.' },
  invoice_already_paid: { status: 409, title: 'The invoice is already paid.' },
  payment_in_progress: { status: 409, title: 'A payment for the invoice is in progress.' },
  bank_connection_locked: { status: 423, title: 'There were too many sign-in attempts.' },
} as const satisfies Problems;

export const sandboxPracticeRoutes = {
  simulateSession: {
    ...aboutSession('sessions:write', 'POST', '/api/practice/sandbox/sessions/{sessionId}/simulate'),
    summary: 'Simulate the patient',
    description:
      "Sandbox only. Does with a pending session what a patient would: opens it, signs in as a test user, authorizes the debit, and performs the bank's first outcome without its delay; a late return, and the outcome of `user_sent`, wait for the next call of `advance`. " +
      'It runs the same code as a patient and sends the same webhooks. `user_bad` and `user_bank_down` leave the session `pending`; `expire` sets its `expiresAt` to now. ' +
      'Returns the status afterward. Not idempotent: a repeated call gets `session_not_pending`.',
    body: simulateSessionBody,
    response: sessionStatusBody,
    problems: { ...keyProblems, ...sessionNotFound, ...bodyProblems, ...simulationProblems },
  },
  advanceSession: {
    ...aboutSession('sessions:write', 'POST', '/api/practice/sandbox/sessions/{sessionId}/advance'),
    summary: "Perform the bank's next outcome",
    description:
      "Sandbox only. Takes no body. Performs the sandbox bank's next outcome now instead of after its delay: the first one of a debit that the patient authorized, a late return, or the payment of `user_sent`, which comes only so. From then on, the debit's further outcomes wait for this call. Returns the status afterward.",
    response: sessionStatusBody,
    problems: {
      ...keyProblems,
      ...sessionNotFound,
      no_outcome_pending: { status: 409, title: 'No outcome is pending.' },
    },
  },
} as const satisfies Readonly<Record<string, PracticeRoute>>;
