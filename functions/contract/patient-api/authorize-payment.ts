import * as z from 'zod/mini';
import { bodyProblems } from '../route.ts';
import { linkProblems, returnsView, type PatientRoute } from './patient-route.ts';

export const authorizePaymentRoute = {
  ...returnsView,
  method: 'POST',
  path: '/api/patient/session/payment',
  summary: 'Authorize the debit',
  description: 'Stores the evidence and starts the payment.',
  body: z.strictObject({
    authorizationAccepted: z.literal(true),
    authorizationId: z.string().check(z.minLength(1), z.maxLength(100)),
  }),
  problems: [
    ...linkProblems,
    ...bodyProblems,
    'session_closed',
    'session_expired',
    'bank_not_connected',
    'authorization_changed',
    'invoice_already_paid',
    'payment_in_progress',
  ],
} as const satisfies PatientRoute;
