import * as z from 'zod/mini';
import { authorizePaymentBody, bankConnectionBody, sessionView } from './patient-api.ts';
import type { ProblemCode } from './problems.ts';
import { takesNothing, type Route } from './route.ts';

const ofEveryRoute = ['link_not_found', 'internal_error'] as const satisfies readonly ProblemCode[];
const ofEveryBody = [
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

/** Every route answers with the view, in the language that the patient reads. */
const returnsView = {
  ...takesNothing,
  headers: patientHeaders,
  status: 200,
  response: sessionView,
} as const;

/** The patient API, for the hosted page alone. The bearer token is the one in the patient's link. */
export const patientRoutes = {
  getSession: {
    ...returnsView,
    method: 'GET',
    path: '/api/patient/session',
    summary: 'Get the view',
    description: 'Changes nothing, so link previews and mail scanners are harmless.',
    problems: ofEveryRoute,
  },
  openSession: {
    ...returnsView,
    method: 'POST',
    path: '/api/patient/session/open',
    summary: 'Register the first open',
    description: "Starts the session's time, once.",
    problems: ofEveryRoute,
  },
  connectBank: {
    ...returnsView,
    method: 'POST',
    path: '/api/patient/session/bank-connection',
    summary: 'Connect a bank',
    description: 'Signs in to a bank, stores the account and offers the authorization. Implies the first open.',
    body: bankConnectionBody,
    problems: [
      ...ofEveryRoute,
      ...ofEveryBody,
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
      ...ofEveryRoute,
      ...ofEveryBody,
      'session_closed',
      'session_expired',
      'bank_not_connected',
      'authorization_changed',
      'invoice_already_paid',
      'payment_in_progress',
    ],
  },
} as const satisfies Record<string, Route>;
