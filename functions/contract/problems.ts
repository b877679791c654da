import type { ManagementProblemCode } from './management-problems.ts';

/** HTTP status and title by code. Clients branch on the codes, which never change. */
export type Problems = Readonly<Record<string, { readonly status: number; readonly title: string }>>;

/** The problems of both APIs. Apart from their own, so that a bundle carries only its API's. */
export const commonProblems = {
  invalid_json: { status: 400, title: 'The body is not valid JSON.' },
  invalid_request: { status: 400, title: 'The request is not valid.' },
  body_too_large: { status: 413, title: 'The body is too large.' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON.' },
  internal_error: { status: 500, title: 'Something went wrong on our end.' },
} as const satisfies Problems;

/** Only of the practice API. */
export const practiceApiProblems = {
  invalid_cursor: { status: 400, title: 'The cursor is not valid.' },
  api_key_missing: { status: 401, title: 'An API key is required.' },
  api_key_invalid: { status: 401, title: 'The API key is not valid.' },
  api_key_expired: { status: 401, title: 'The API key has expired.' },
  api_key_revoked: { status: 401, title: 'The API key has been revoked.' },
  api_key_wrong_mode: { status: 401, title: 'The API key is for the wrong mode (sandbox or live).' },
  scope_missing: { status: 403, title: 'The API key lacks the required scope.' },
  session_not_found: { status: 404, title: 'The session was not found.' },
  route_not_found: { status: 404, title: 'The route was not found.' },
  session_not_cancellable: { status: 409, title: 'The session can no longer be cancelled.' },
  payment_not_voidable: { status: 409, title: 'The debit can no longer be voided.' },
  cancellation_pending: { status: 409, title: 'The cancellation is still pending.' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for a different request.' },
} as const satisfies Problems;

/** Only of the patient API. */
export const patientApiProblems = {
  link_not_found: { status: 404, title: 'The link was not found.' },
  session_closed: { status: 409, title: 'The session is no longer pending.' },
  session_expired: { status: 409, title: 'The session has expired.' },
  bank_not_connected: { status: 409, title: 'No bank account is connected.' },
  authorization_changed: { status: 409, title: 'The authorization has changed.' },
  invoice_already_paid: { status: 409, title: 'The invoice is already paid.' },
  payment_in_progress: { status: 409, title: 'A payment for the invoice is in progress.' },
  bank_connection_failed: { status: 422, title: 'The bank rejected the sign-in.' },
  bank_connection_locked: { status: 423, title: 'There were too many sign-in attempts.' },
  bank_unavailable: { status: 503, title: 'The bank is unavailable.' },
} as const satisfies Problems;

export type PracticeProblemCode = keyof typeof commonProblems | keyof typeof practiceApiProblems;
export type PatientProblemCode = keyof typeof commonProblems | keyof typeof patientApiProblems;
type ProblemCode = PracticeProblemCode | PatientProblemCode | ManagementProblemCode;

/** The caller's mistake, or a state that rules out the request. The message tells the caller what to do next. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.extra = options.extra ?? {};
    this.headers = options.headers ?? {};
  }
}

/** `pointer` is a JSON pointer into the body, or the name of a header or parameter. */
export interface RequestError {
  readonly pointer: string;
  readonly code: RequestErrorCode;
  readonly detail: string;
}

export const requestErrorCodes = [
  'required',
  'invalid_type',
  'invalid_value',
  'out_of_range',
  'too_long',
  'unknown_field',
  'too_many_keys',
  'sensitive_data',
] as const;
export type RequestErrorCode = (typeof requestErrorCodes)[number];
