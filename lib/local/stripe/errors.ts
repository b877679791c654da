type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

interface Details {
  readonly code?: string;
  readonly param?: string;
  readonly [field: string]: unknown;
}

/** An error as Stripe returns it. */
export class StripeError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly details: Details;

  constructor(status: number, type: ErrorType, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
  }

  get body(): object {
    return { error: { type: this.type, message: this.message, ...this.details } };
  }
}

export function invalid(message: string, details: Details = {}): StripeError {
  return new StripeError(400, 'invalid_request_error', message, details);
}

export function missing(kind: string, id: string, param = 'id'): StripeError {
  return new StripeError(404, 'invalid_request_error', `No such ${kind}: '${id}'`, { code: 'resource_missing', param });
}
