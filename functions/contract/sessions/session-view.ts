import * as z from 'zod/mini';
import { locales } from '../../domain/locale.ts';
import { payee } from '../../domain/practices/practice.ts';
import { linkRequests } from '../../domain/sessions/links.ts';
import { cancellation } from '../../domain/sessions/session.ts';
import { patientBlocks } from '../../domain/sessions/session-status.ts';
import { isoTime } from '../../domain/time.ts';
import { bankAccount, debitReturn, failure } from '../../domain/payments/debit.ts';
import { refund } from '../../domain/payments/refund.ts';
import { sessionStatuses } from '../../domain/sessions/transitions.ts';

export const sessionView = z.object({
  status: z.enum(sessionStatuses),
  amountCents: z.int(),
  currency: z.literal('USD'),
  invoiceId: z.string(),
  patient: z.optional(
    z.object({ firstName: z.string(), lastNameInitial: z.string(), lastName: z.optional(z.string()) }),
  ),
  practice: z.object({
    name: z.string(),
    primaryColor: z.string(),
    logoUrl: z.optional(z.string()),
    supportPhone: z.optional(z.string()),
    /** Dials the number and its extension. Absent if the number is too short to dial. */
    supportPhoneUri: z.optional(z.string()),
    supportEmail: z.optional(z.string()),
    /** Lines separated by \n. */
    postalAddress: z.optional(z.string()),
    privacyUrl: z.optional(z.string()),
    termsUrl: z.optional(z.string()),
  }),
  expiresAt: isoTime,
  openedAt: z.optional(isoTime),
  /** Present while pending and not opened. */
  sessionLifetimeSeconds: z.optional(z.int()),
  /** Present while open, if the practice allows extensions. */
  extensionsLeft: z.optional(z.int()),
  /** 0 means locked. */
  bankConnectionAttemptsRemaining: z.int(),
  bankAccount: z.optional(bankAccount),
  /** The name on the bank account. Present while pending, once a bank is connected. */
  payerName: z.optional(z.string()),
  /** Present while pending, once a bank is connected. */
  authorization: z.optional(z.object({ id: z.string(), text: z.string(), locale: z.enum(locales) })),
  /** The day named in the authorization. Present from the bank connection until the outcome. */
  expectedDebitDate: z.optional(z.iso.date()),
  blockedBy: z.optional(z.enum(patientBlocks)),
  receipt: z.optional(
    z.object({
      receiptNumber: z.string(),
      authorizedAt: isoTime,
      settledAt: z.optional(isoTime),
      authorizationText: z.string(),
      authorizationLocale: z.enum(locales),
      /** Absent in the preview of the settings. */
      payerName: z.optional(z.string()),
      /** The practice as the accepted text names it, even if it has been renamed since. */
      practice: payee,
      statementText: z.string(),
      /** Set once the session has ended: when the practice's retention removes these details. */
      shownUntil: z.optional(isoTime),
    }),
  ),
  failure: z.optional(failure),
  failedAt: z.optional(isoTime),
  cancellation: z.optional(cancellation),
  cancelledAt: z.optional(isoTime),
  /** Whether the patient can ask the practice for a new link, or did within the last day. Present only for an expired session. */
  linkRequest: z.optional(z.enum(linkRequests)),
  return: z.optional(debitReturn),
  /** Absent if nothing was refunded and no refund is on its way. */
  refund: z.optional(z.pick(refund, { amountCents: true, pendingCents: true, refundedAt: true })),
  /** The practice's own page, which the patient can return to. */
  returnUrl: z.optional(z.string()),
  /** When names, bank account and receipt were removed. */
  scrubbedAt: z.optional(isoTime),
  sandbox: z.boolean(),
});
export type SessionView = z.infer<typeof sessionView>;
