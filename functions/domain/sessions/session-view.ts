import { offeredIn, nextBankingDay } from '../payments/authorization.ts';
import { extensionsLeft, isOpened, linkRequestOf } from './links.ts';
import type { Evidence } from '../payments/evidence.ts';
import type { Locale } from '../locale.ts';
import type { Mode } from '../mode.ts';
import { hasRefund } from '../payments/refund.ts';
import { pick } from '../collections.ts';
import { phoneUri, takesPayments, type Practice, statementTextOf } from '../practices/practice.ts';
import { addMonths, endedAt } from './retention.ts';
import {
  namesOf,
  payerOf,
  bankConnectionAttemptsRemaining,
  receiptNumberOf,
  withExpiry,
  type Session,
} from './session.ts';
import type { InvoiceBlock, PatientBlock } from './session-status.ts';
import { toIso } from '../time.ts';

type ReceiptEvidence = Pick<Evidence, 'text' | 'locale' | 'payee' | 'payerName'>;

const shownOfPractice = [
  'name',
  'primaryColor',
  'logoUrl',
  'supportPhone',
  'supportEmail',
  'postalAddress',
  'privacyUrl',
  'termsUrl',
] as const satisfies readonly (keyof Practice)[];

interface Viewing {
  readonly mode: Mode;
  readonly locale: Locale;
  readonly now: number;
  readonly blockedBy: InvoiceBlock | undefined;
  readonly evidence: ReceiptEvidence | undefined;
}

export function patientView(current: Session, practice: Practice, { mode, locale, now, blockedBy, evidence }: Viewing) {
  const shown = withExpiry(current, now);
  const pending = shown.status === 'pending';
  return {
    status: shown.status,
    amountCents: shown.amountCents,
    currency: 'USD' as const,
    invoiceId: shown.invoiceId,
    patient: shownPatient(shown),
    practice: shownPractice(practice),
    expiresAt: shown.expiresAt,
    openedAt: shown.openedAt,
    sessionLifetimeSeconds: pending && shown.openedAt === undefined ? practice.sessionLifetimeSeconds : undefined,
    extensionsLeft: pending && practice.extensions && isOpened(shown) ? extensionsLeft(shown) : undefined,
    bankConnectionAttemptsRemaining: bankConnectionAttemptsRemaining(shown),
    bankAccount: shown.bankAccount,
    payerName: pending && shown.bankAccount ? payerOf(shown) : undefined,
    authorization: pending ? authorizationOf(shown, locale, now) : undefined,
    expectedDebitDate: expectedDebitDate(shown, now),
    blockedBy: pending ? (blockedBy ?? suspensionOf(practice)) : undefined,
    receipt: evidence && receiptOf(shown, practice, evidence),
    failure: shown.failure,
    failedAt: shown.failedAt,
    cancellation: shown.cancellation,
    cancelledAt: shown.cancelledAt,
    linkRequest: linkRequestOf(shown, practice, now),
    return: shown.return,
    refund: shownRefund(shown),
    returnUrl: shown.returnUrl,
    scrubbedAt: shown.scrubbedAt,
    sandbox: mode === 'sandbox',
  };
}

function shownPractice(practice: Practice) {
  const { supportPhone } = practice;
  return {
    ...pick(practice, shownOfPractice),
    ...(supportPhone !== undefined && { supportPhoneUri: phoneUri(supportPhone) }),
  };
}

function suspensionOf(practice: Practice): PatientBlock | undefined {
  return takesPayments(practice) ? undefined : 'practice_suspended';
}

function authorizationOf(session: Session, preferred: Locale, now: number) {
  const offered = offeredIn(session, preferred, now);
  return offered && { id: offered.id, text: offered.text, locale: offered.locale };
}

function expectedDebitDate({ status, bankAccount, processingAt }: Session, now: number): string | undefined {
  if (status === 'pending') return bankAccount && nextBankingDay(now);
  return status === 'processing' && processingAt !== undefined ? nextBankingDay(Date.parse(processingAt)) : undefined;
}

/** Shows only the initial until a bank is connected: the link may have been forwarded. */
function shownPatient({ patient, bankAccount }: Session) {
  if (!patient) return undefined;
  const [firstName = '', lastName = ''] = namesOf(patient);
  const [lastNameInitial = ''] = lastName.normalize('NFC');
  return { firstName, lastNameInitial, ...(bankAccount && { lastName }) };
}

/** Hides failed refunds: those are between the practice and its bank. */
function shownRefund({ refund }: Session) {
  return hasRefund(refund) ? pick(refund, ['amountCents', 'pendingCents', 'refundedAt']) : undefined;
}

function receiptOf(
  session: Session,
  { retentionMonths }: Practice,
  { text, locale, payee, payerName }: ReceiptEvidence,
) {
  const { processingAt, settledAt, sessionId } = session;
  if (processingAt === undefined) return undefined;
  const ended = endedAt(session);
  return {
    receiptNumber: receiptNumberOf({ sessionId }),
    authorizedAt: processingAt,
    settledAt,
    authorizationText: text,
    authorizationLocale: locale,
    payerName,
    practice: payee,
    statementText: statementTextOf(payee),
    shownUntil: ended === undefined ? undefined : toIso(addMonths(Date.parse(ended), retentionMonths)),
  };
}
