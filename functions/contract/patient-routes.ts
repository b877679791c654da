import * as z from 'zod/mini';
import { authorizePaymentBody, bankConnectionBody, sessionView } from './patient-api.ts';
import type { ProblemCode } from './problems.ts';
import { takesNothing, type Route } from './route.ts';

const commonProblems = ['link_not_found', 'internal_error'] as const satisfies readonly ProblemCode[];
const bodyProblems = [
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[];

export const patientHeaders = z.object({
  'accept-language': z.optional(z.string()),
  /** Set by CloudFront from the viewer's address; a caller that reaches the API directly can forge it. */
  'x-viewer-address': z.optional(z.string()),
});

/** Every route returns the view, in the patient's language. */
const returnsView = {
  ...takesNothing,
  headers: patientHeaders,
  status: 200,
  response: sessionView,
} as const;

/** The patient API, for the hosted page only. The bearer token is the one in the patient's link. */
export const patientRoutes = {
  getSession: {
    ...returnsView,
    method: 'GET',
    path: '/api/patient/session',
    summary: 'Get the view',
    description: 'Changes nothing, so link previews and mail scanners are harmless.',
    problems: commonProblems,
  },
  openSession: {
    ...returnsView,
    method: 'POST',
    path: '/api/patient/session/open',
    summary: 'Register the first open',
    description: "Starts the session's clock. Later calls change nothing.",
    problems: commonProblems,
  },
  connectBank: {
    ...returnsView,
    method: 'POST',
    path: '/api/patient/session/bank-connection',
    summary: 'Connect a bank',
    description:
      'Signs in to a bank, stores the account and returns the authorization text. Also counts as the first open.',
    body: bankConnectionBody,
    problems: [
      ...commonProblems,
      ...bodyProblems,
      'session_closed',
      'session_expired',
      'bank_connection_failed',
      'bank_connection_locked',
      'bank_unavailable',
    ],
  },
  authorizePayment: {
    ...returnsView,
    method: 'POST',
    path: '/api/patient/session/payment',
    summary: 'Authorize the debit',
    description: 'Stores the evidence and starts the payment.',
    body: authorizePaymentBody,
    problems: [
      ...commonProblems,
      ...bodyProblems,
      'session_closed',
      'session_expired',
      'bank_not_connected',
      'authorization_changed',
      'invoice_already_paid',
      'payment_in_progress',
    ],
  },
} as const satisfies Record<string, Route>;
