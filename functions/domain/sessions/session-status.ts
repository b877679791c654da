import { bankConnectionAttemptsRemaining, type Session, withExpiry } from './session.ts';

export const invoiceBlocks = ['invoice_already_paid', 'payment_in_progress'] as const;
export type InvoiceBlock = (typeof invoiceBlocks)[number];

/** Why a patient cannot pay. */
export const patientBlocks = [...invoiceBlocks, 'practice_suspended'] as const;
export type PatientBlock = (typeof patientBlocks)[number];

/** Why a pending session cannot be paid. */
export const sessionBlocks = [...invoiceBlocks, 'bank_connection_locked'] as const;
export type SessionBlock = (typeof sessionBlocks)[number];

/** False once a bank is connected: it can still be debited. */
export function hasUsedUpSignIns(
  session: Pick<Session, 'bankConnectionAttempts' | 'pickerStarts' | 'bankAccount'>,
): boolean {
  return bankConnectionAttemptsRemaining(session) === 0 && session.bankAccount === undefined;
}

export function sessionStatus(session: Session, blockedBy: SessionBlock | undefined, now: number) {
  const current = withExpiry(session, now);
  return {
    sessionId: current.sessionId,
    invoiceId: current.invoiceId,
    status: current.status,
    amountCents: current.amountCents,
    createdAt: current.createdAt,
    metadata: current.metadata,
    expiresAt: current.expiresAt,
    openedAt: current.openedAt,
    blockedBy: current.status === 'pending' ? blockedBy : undefined,
    processingAt: current.processingAt,
    settledAt: current.settledAt,
    failedAt: current.failedAt,
    failure: current.failure,
    cancelledAt: current.cancelledAt,
    cancellation: current.cancellation,
    return: current.return,
    refund: current.refund,
    scrubbedAt: current.scrubbedAt,
  };
}
