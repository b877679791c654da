import * as z from 'zod/mini';
import { locales } from '../domain/locale.ts';
import { payee } from '../domain/practice.ts';
import { cancellation } from '../domain/session.ts';
import { isoTime } from '../domain/time.ts';
import { bankAccount, debitReturn, failure } from '../domain/debit.ts';
import { sessionStatuses } from '../domain/transitions.ts';

export const bankConnectionBody = z.strictObject({
  username: z.string().check(z.minLength(1), z.maxLength(100)),
  password: z.string().check(z.minLength(1), z.maxLength(200)),
});

export const authorizePaymentBody = z.strictObject({
  authorizationAccepted: z.literal(true),
  authorizationId: z.string().check(z.minLength(1), z.maxLength(100)),
});

/** What the hosted page shows; the server's state alone decides which view that is. */
export const sessionView = z.object({
  status: z.enum(sessionStatuses),
  amountCents: z.int(),
  currency: z.literal('USD'),
  invoiceId: z.string(),
  /** The last name is there from the time on that a bank is connected. */
  patient: z.object({ firstName: z.string(), lastNameInitial: z.string(), lastName: z.optional(z.string()) }),
  practice: z.object({
    name: z.string(),
    primaryColor: z.string(),
    /** A path under the page's own host. */
    logoUrl: z.optional(z.string()),
    supportPhone: z.optional(z.string()),
    supportEmail: z.optional(z.string()),
  }),
  expiresAt: isoTime,
  openedAt: z.optional(isoTime),
  /** How long the session lasts from the first touch on; while pending and not opened. */
  sessionLifetimeSeconds: z.optional(z.int()),
  /** How often the patient may still try to sign in to a bank; 0 is locked. */
  bankConnectionAttemptsRemaining: z.int(),
  bankAccount: z.optional(bankAccount),
  /** What may be accepted, in the language of the request's `Accept-Language`; while pending, once a bank is connected. */
  authorization: z.optional(z.object({ id: z.string(), text: z.string(), locale: z.enum(locales) })),
  blockedBy: z.optional(z.enum(['invoice_already_paid', 'payment_in_progress'])),
  receipt: z.optional(
    z.object({
      receiptNumber: z.string(),
      authorizedAt: isoTime,
      settledAt: z.optional(isoTime),
      /** The text that was accepted, in the language that it was accepted in. */
      authorizationText: z.string(),
      authorizationLocale: z.enum(locales),
      /** Whom the patient paid, as the text names them, however the practice is called since. */
      practice: payee,
      /** How the debit is named on the bank's statement. */
      statementText: z.string(),
      expectedDebitDate: z.iso.date(),
    }),
  ),
  failure: z.optional(failure),
  failedAt: z.optional(isoTime),
  cancellation: z.optional(cancellation),
  cancelledAt: z.optional(isoTime),
  return: z.optional(debitReturn),
  sandbox: z.boolean(),
});
export type SessionView = z.infer<typeof sessionView>;
