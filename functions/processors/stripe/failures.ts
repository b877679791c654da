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

type Reason = Pick<Failure, 'code' | 'message'>;

const restricted: Reason = {
  code: 'practice_account_restricted',
  message: "The practice's account at the payment processor cannot take this debit. The dashboard says what it needs.",
};
const overLimit: Reason = {
  code: 'processor_limit_exceeded',
  message: 'The debit exceeds a limit of the payment processor. Ask whoever operates the payment service to raise it.',
};
const invalidAuthorization: Reason = {
  code: 'authorization_invalid',
  message: "The payment processor does not accept the patient's authorization. Send a new link.",
};

/** Refusals of Stripe that are not about the patient's bank. */
const notTheBank: Readonly<Record<string, Reason>> = {
  capability_not_active: restricted,
  charge_exceeds_source_limit: overLimit,
  charge_exceeds_transaction_limit: overLimit,
  charge_exceeds_weekly_limit: overLimit,
  mandate_invalid: invalidAuthorization,
  payment_intent_mandate_invalid: invalidAuthorization,
};

/** Undefined if the patient's bank, or a request of ours, may be the reason. */
export function otherReason(stripeCode: string | null | undefined): Reason | undefined {
  return notTheBank[stripeCode ?? ''];
}

const failures: Readonly<Record<string, Reason>> = {
  ...notTheBank,
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
const unusable = { code: 'account_unusable', message: 'The payment processor cannot debit this account.' } as const;
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
  const unknown = code === 'bank_account_unusable' ? unusable : declined;
  return { ...(known ?? unknown), ...(achReturnCode !== undefined && { achReturnCode }) };
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
