import { StripeError } from './errors.ts';

export const faultKinds = [
  'no_answer_after_acceptance',
  'dropped_before_acceptance',
  'dropped_after_acceptance',
  'rate_limited',
  'server_error',
  'server_error_after_acceptance',
  'idempotency_conflict',
  'invalid_request',
  'invalid_request_after_acceptance',
  'forbidden',
  'declined',
  'account_pending',
  'account_unavailable',
  'incomplete_answer',
] as const;
export type FaultKind = (typeof faultKinds)[number];

interface PlannedFault {
  readonly kind: FaultKind;
  /** An operation's published ID, such as PostPaymentIntents. By default, any operation. */
  readonly operation?: string | undefined;
  /** The connected account of the call. By default, any account or the platform. */
  readonly account?: string | undefined;
  readonly times: number;
}

export function createFaults() {
  let planned: PlannedFault[] = [];
  return {
    plan: (fault: PlannedFault) => void planned.push(fault),
    clear() {
      planned = [];
    },
    /** Removes and returns the fault for this call. */
    next(operation: string, account: string | undefined) {
      const hit = planned.find(
        (fault) => (fault.operation ?? operation) === operation && (fault.account ?? account) === account,
      );
      if (hit === undefined) return undefined;
      planned = planned.flatMap((fault) =>
        fault !== hit ? [fault] : fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [],
      );
      return hit.kind;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;

const serverError = new StripeError(500, 'api_error', 'An unknown error occurred.');
const invalidRequest = new StripeError(400, 'invalid_request_error', 'The request is not valid.');

/** Sent before anything is done. */
export const errorsBefore: Partial<Record<FaultKind, StripeError>> = {
  rate_limited: new StripeError(429, 'invalid_request_error', 'Too many requests hit the API too quickly.', {
    code: 'rate_limit',
  }),
  server_error: serverError,
  idempotency_conflict: new StripeError(
    409,
    'idempotency_error',
    'Another request with this idempotency key is in progress.',
    { code: 'idempotency_key_in_use' },
  ),
  invalid_request: invalidRequest,
  forbidden: new StripeError(
    403,
    'invalid_request_error',
    'The provided key does not have the required permissions for this endpoint.',
  ),
};

/** Sent instead of performing the call, and replayed for the same idempotency key. */
export const errorsInstead: Partial<Record<FaultKind, StripeError>> = {
  declined: new StripeError(402, 'invalid_request_error', 'The bank account cannot be debited.', {
    code: 'bank_account_unusable',
  }),
  account_pending: new StripeError(400, 'invalid_request_error', 'The account numbers are not here yet.', {
    code: 'financial_connections_account_pending_account_numbers',
  }),
  account_unavailable: new StripeError(400, 'invalid_request_error', 'The bank does not tell the account numbers.', {
    code: 'financial_connections_account_unavailable_account_numbers',
  }),
};

/** Sent even though the call was performed. */
export const errorsAfter: Partial<Record<FaultKind, StripeError>> = {
  server_error_after_acceptance: serverError,
  invalid_request_after_acceptance: invalidRequest,
};

/** What a mock with fixtures would answer. */
export const incompleteAnswer = { status: 200, body: JSON.stringify({ object: 'fixture' }) };
