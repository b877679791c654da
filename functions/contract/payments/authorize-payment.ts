import * as z from 'zod/mini';
import { namesOf } from '../../domain/sessions/session.ts';
import { bankNotConnected, linkProblems, payingProblems, returnsView } from '../patient-route.ts';
import { bodyProblems } from '../problems.ts';
import type { Route } from '../route.ts';
import { personName } from '../text.ts';

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
  problems: {
    ...linkProblems,
    ...bodyProblems,
    ...payingProblems,
    ...bankNotConnected,
    authorization_changed: { status: 409, title: 'The authorization has changed.' },
    invoice_already_paid: { status: 409, title: 'The invoice is already paid.' },
    payment_in_progress: { status: 409, title: 'A payment for the invoice is in progress.' },
  },
} as const satisfies Route;

const payerName = personName.check(
  z.refine((name) => namesOf({ firstName: name, lastName: '-' }).length > 0, { params: { code: 'required' } }),
);

export const namePayerRoute = {
  ...returnsView,
  method: 'POST',
  path: '/api/patient/session/payer',
  summary: 'Name the payer',
  description:
    'Stores the name on the bank account and returns the authorization that names this person. An authorization that was returned before can no longer be accepted.',
  body: z.strictObject({ payerName }),
  problems: { ...linkProblems, ...bodyProblems, ...payingProblems, ...bankNotConnected },
} as const satisfies Route;
