import type { DebitReturn, Failure } from '../../domain/payments/debit.ts';
import type { PaymentIntent } from './payment-intent.ts';

interface Decline {
  readonly code?: string | null | undefined;
  readonly network_decline_code?: string | null | undefined;
}

export const processorError = {
  code: 'processor_error',
  message: 'The payment processor could not process the debit.',
} as const satisfies Failure;

const failures: Readonly<Record<string, Pick<Failure, 'code' | 'message'>>> = {
  insufficient_funds: { code: 'insufficient_funds', message: 'The account did not have enough money.' },
  account_closed: { code: 'account_closed', message: 'The account is closed.' },
  no_account: { code: 'account_not_found', message: 'The bank could not find the account.' },
  account_number_invalid: { code: 'account_not_found', message: 'The bank could not find the account.' },
  debit_not_authorized: {
    code: 'debit_not_authorized',
    message: 'The bank reported that the debit was not authorized.',
  },
  bank_account_restricted: { code: 'account_frozen', message: 'The bank has restricted the account.' },
  processing_error: processorError,
};
const declined = { code: 'bank_declined', message: 'The bank declined the debit.' } as const;
const byReturnCode: Readonly<Record<string, keyof typeof failures>> = {
  R01: 'insufficient_funds',
  R02: 'account_closed',
  R03: 'no_account',
  R04: 'account_number_invalid',
  R05: 'debit_not_authorized',
  R07: 'debit_not_authorized',
  R08: 'debit_not_authorized',
  R09: 'insufficient_funds',
  R10: 'debit_not_authorized',
  R11: 'debit_not_authorized',
  R16: 'bank_account_restricted',
  R29: 'debit_not_authorized',
};

export function failureOf({ code, network_decline_code: networkCode }: Decline): Failure {
  const achReturnCode = networkCode && /^R\d\d$/.test(networkCode) ? networkCode : undefined;
  const known = failures[code ?? ''] ?? failures[byReturnCode[achReturnCode ?? ''] ?? ''];
  return { ...(known ?? declined), ...(achReturnCode !== undefined && { achReturnCode }) };
}

/** Why an intent will never be paid. Undefined if it still may be, or was canceled on purpose. */
export function refusalOf({
  last_payment_error: error,
  cancellation_reason: reason,
}: PaymentIntent): Failure | undefined {
  if (error) return failureOf(error);
  // Only we cancel with this reason, after Stripe refused to confirm the intent.
  return reason === 'abandoned' ? processorError : undefined;
}

const returns: Readonly<Record<string, DebitReturn['code']>> = {
  insufficient_funds: 'insufficient_funds',
  incorrect_account_details: 'account_not_found',
  bank_cannot_process: 'bank_declined',
};

/** Stripe gives a dispute's reason but not the bank's return code. A reason that is not the bank's own is the payer's. */
export function returnOf(reason: string): Omit<DebitReturn, 'returnedAt'> {
  return { code: returns[reason] ?? 'debit_not_authorized' };
}
