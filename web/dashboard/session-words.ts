import type { MemberSession } from '../../functions/contract/sessions/dashboard-sessions.ts';

type Reason = NonNullable<MemberSession['failure']>['code'];

/** Why a bank did not pay. */
export const reasonWords: Record<Reason, string> = {
  insufficient_funds: 'Not enough money in the account',
  account_closed: 'The account is closed',
  account_not_found: 'The bank does not know the account',
  debit_not_authorized: 'The account holder says the debit was not authorized',
  account_frozen: 'The account is frozen',
  bank_declined: 'The bank declined',
  processor_error: 'The payment processor failed',
};

/** Why a link cannot be paid. */
export const blockWords: Record<NonNullable<MemberSession['blockedBy']>, string> = {
  invoice_already_paid: 'Invoice already paid through another session',
  payment_in_progress: 'Invoice being paid through another session',
  bank_connection_locked: 'Bank sign-ins used up: make a new link',
};

/** Whether the practice has the money. */
export function isPaid(session: Pick<MemberSession, 'status' | 'return'>): boolean {
  return session.status === 'succeeded' && session.return === undefined;
}

/** Whether the session ended without the practice having the money: the invoice takes another session. */
export function canBePaidAnew(session: Pick<MemberSession, 'status' | 'return'>): boolean {
  return isOver(session) && !isPaid(session);
}

/** Whether nothing more will happen, except possibly a return. */
export function isOver({ status }: Pick<MemberSession, 'status'>): boolean {
  return status !== 'pending' && status !== 'processing';
}
