import { bankConnectionAttemptsRemaining, type Session } from './session.ts';

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
