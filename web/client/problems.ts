import type { SessionStatus } from './sessions.ts';

export type ProblemCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_cursor'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'api_key_revoked'
  | 'api_key_wrong_mode'
  | 'practice_id_missing'
  | 'practice_id_not_allowed'
  | 'platform_key_required'
  | 'scope_missing'
  | 'rate_limited'
  | 'practice_suspended'
  | 'practice_closed'
  | 'practice_not_found'
  | 'session_not_found'
  | 'authorization_not_found'
  | 'payout_not_found'
  | 'webhook_endpoint_not_found'
  | 'delivery_not_found'
  | 'route_not_found'
  | 'not_ready_for_live'
  | 'session_not_cancellable'
  | 'payment_not_voidable'
  | 'cancellation_pending'
  | 'session_not_pending'
  | 'session_not_ended'
  | 'invoice_already_paid'
  | 'payment_in_progress'
  | 'no_outcome_pending'
  | 'webhook_endpoint_disabled'
  | 'delivery_in_progress'
  | 'too_many_webhook_endpoints'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'webhook_url_not_allowed'
  | 'since_in_future'
  | 'contact_required'
  | 'bank_connection_locked'
  | 'internal_error'
  | 'temporarily_unavailable'
  | 'processor_unavailable';

export interface RequestError {
  /** A JSON pointer into the body, or the name of a header or parameter. */
  pointer: string;
  code:
    | 'required'
    | 'invalid_type'
    | 'invalid_value'
    | 'out_of_range'
    | 'too_long'
    | 'unknown_field'
    | 'too_many_keys'
    | 'repeated_key'
    | 'sensitive_data';
  detail: string;
  /** Present with `sensitive_data`: what the text looks like. */
  rule?: 'card_number' | 'social_security_number' | 'icd_10_code' | 'sensitive_key';
  /** The zero-based position of the unknown field, repeated key or metadata key, in the order sent. */
  index?: number;
  /** What the field accepts, in words. */
  expected?: string;
  /** The lower and upper bound of a number, a length, or the count of items or keys. */
  minimum?: number;
  maximum?: number;
}

interface ProblemBody {
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly errors: readonly RequestError[];
  readonly sessionStatus: SessionStatus;
}

/** The service, or a gateway in front of it, refused the request. */
export class PaymentProblem extends Error {
  override readonly name = 'PaymentProblem';
  /** Branch on this code. `gateway_error` means that a gateway answered, not the service. New codes can be added. */
  readonly code: ProblemCode | 'gateway_error' | (string & Record<never, never>);
  readonly status: number;
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** With `invalid_request`, every error in the request; with `invalid_json`, every repeated key. */
  readonly errors: readonly RequestError[];
  /** Present with `session_not_cancellable`, `session_not_pending` and `session_not_ended`. */
  readonly sessionStatus: SessionStatus | undefined;
  /** Milliseconds to wait before a retry, if the answer says. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: unknown, now: number) {
    const problem = problemIn(body);
    const { code = 'gateway_error', detail = 'This answer is not from the payment service.', errors = [] } = problem;
    super([`${response.status} ${code}: ${detail}`, ...errors.map(errorText)].join('\n'));
    this.code = code;
    this.status = response.status;
    this.requestId = problem.requestId ?? response.headers.get('apigw-requestid') ?? undefined;
    this.errors = errors;
    this.sessionStatus = problem.sessionStatus;
    this.retryAfter = retryAfterOf(response.headers.get('retry-after'), now);
  }
}

/** No answer arrived, so it is unknown whether the request took effect. */
export class PaymentConnectionError extends Error {
  override readonly name = 'PaymentConnectionError';
}

/** Does not use `instanceof`: a program can load both formats of this package, each with its own class. */
function isPaymentProblem(error: unknown): error is PaymentProblem {
  return error instanceof Error && error.name === 'PaymentProblem';
}

/** True if the error is a problem with one of these codes, or any problem if none is given. */
export function isProblem<Code extends ProblemCode | 'gateway_error'>(
  error: unknown,
  ...codes: readonly Code[]
): error is PaymentProblem & { readonly code: Code } {
  return isPaymentProblem(error) && (codes.length === 0 || codes.some((code) => code === error.code));
}

function errorText({ pointer, code, rule, index, expected, minimum, maximum }: RequestError): string {
  const facts = Object.entries({ rule, index, expected, minimum, maximum });
  const known = facts.flatMap(([name, value]) => (value === undefined ? [] : `${name} ${value}`));
  return [`  ${pointer} ${code}`, ...known].join(', ');
}

function problemIn(body: unknown): Partial<ProblemBody> {
  return isProblemBody(body) ? body : {};
}

function isProblemBody(body: unknown): body is Partial<ProblemBody> {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
}

/** Seconds or an HTTP date. */
function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}
