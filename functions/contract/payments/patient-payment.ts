import * as z from 'zod/mini';
import { bodyProblems } from '../problems.ts';
import type { Route } from '../route.ts';
import { linkProblems, payingProblems, returnsView, throughLink, bankNotConnected } from '../patient-route.ts';
import { namesOf } from '../../domain/sessions/session.ts';
import { personName } from '../text.ts';

/** Sandbox only. */
export const testSignIn = z.strictObject({
  /** Absent means Sandbox Bank. */
  bank: z.optional(z.enum(['sandbox_bank', 'unavailable_bank'])),
  username: z.string().check(z.minLength(1), z.maxLength(100)),
  password: z.string().check(z.minLength(1), z.maxLength(200)),
});
/** Never stored or logged. */
export type TestSignIn = z.infer<typeof testSignIn>;

/** Production only: the patient has signed in with the processor's bank picker. */
export const noSignIn = z.strictObject({});

const startedBankConnection = z.object({
  publishableKey: z.string(),
  account: z.optional(z.string()),
  clientSecret: z.string(),
});
export type StartedBankConnection = z.infer<typeof startedBankConnection>;

const payerName = personName.check(
  z.refine((name) => namesOf({ firstName: name, lastName: '-' }).length > 0, { params: { code: 'required' } }),
);

export const patientPaymentRoutes = {
  connectBank: {
    ...returnsView('POST', '/bank-connection'),
    summary: 'Connect a bank',
    description:
      'Signs in to a bank, or takes the account of the bank picker; stores it and returns the authorization text. Also counts as the first open.',
    body: z.union([testSignIn, noSignIn]),
    problems: {
      ...linkProblems,
      ...bodyProblems,
      ...payingProblems,
      bank_connection_failed: { status: 422, title: 'The bank rejected the sign-in.' },
      bank_connection_locked: { status: 423, title: 'There were too many sign-in attempts.' },
      bank_unavailable: { status: 503, title: 'The bank is unavailable.' },
    },
  },
  namePayer: {
    ...returnsView('POST', '/payer'),
    summary: 'Name the payer',
    description:
      'Stores the name on the bank account and returns the authorization that names this person. An authorization that was returned before can no longer be accepted.',
    body: z.strictObject({ payerName }),
    problems: { ...linkProblems, ...bodyProblems, ...payingProblems, ...bankNotConnected },
  },
  authorizePayment: {
    ...returnsView('POST', '/payment'),
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
  },
} as const satisfies Readonly<Record<string, Route>>;

/** Production only: the sandbox has no bank picker. */
export const bankPickerRoutes = {
  startBankConnection: {
    ...throughLink('POST', '/bank-connection/start'),
    summary: "Start the processor's bank picker",
    description:
      'Returns what the picker needs in the browser. No payment can be made with it. Also counts as the first open.',
    response: startedBankConnection,
    problems: {
      ...linkProblems,
      ...payingProblems,
      bank_connection_locked: { status: 423, title: 'There were too many sign-in attempts.' },
      bank_unavailable: { status: 503, title: 'The bank is unavailable.' },
    },
  },
} as const satisfies Readonly<Record<string, Route>>;
