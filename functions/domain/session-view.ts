import type { Mode } from './mode.ts';
import type { Practice } from './practice.ts';
import { maximumBankConnectionAttempts, withExpiry, type Session } from './session.ts';

export type InvoiceBlock = 'invoice_already_paid' | 'payment_in_progress';

function receiptOf(current: Session) {
  const { processingAt, authorization, settledAt, sessionId } = current;
  if (processingAt === undefined || authorization === undefined) return undefined;
  return { receiptNumber: sessionId.slice(-10), authorizedAt: processingAt, settledAt, authorizationText: authorization.text };
}

/** A session as its patient may see it at `now`: what is owed, to whom, and what can be done about it. */
export function patientView(current: Session, practice: Practice, mode: Mode, now: number, blockedBy: InvoiceBlock | undefined) {
  const shown = withExpiry(current, now);
  const { name, primaryColor, logoUrl, supportPhone, supportEmail } = practice;
  return {
    ...shown,
    currency: 'USD' as const,
    practice: { name, primaryColor, logoUrl, supportPhone, supportEmail },
    bankConnectionAttemptsRemaining: Math.max(maximumBankConnectionAttempts - shown.bankConnectionAttempts, 0),
    receipt: receiptOf(shown),
    blockedBy: shown.status === 'pending' ? blockedBy : undefined,
    sandbox: mode === 'sandbox',
  };
}
