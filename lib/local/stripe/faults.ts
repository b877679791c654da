import { StripeError } from './errors.ts';

export const faultKinds = [
  'no_answer_after_acceptance',
  'dropped_before_acceptance',
  'dropped_after_acceptance',
  'rate_limited',
  'server_error',
  'server_error_after_acceptance',
  'idempotency_conflict',
] as const;
export type FaultKind = (typeof faultKinds)[number];

interface PlannedFault {
  readonly kind: FaultKind;
  /** Published id of an operation, such as PostPaymentIntents; by default any. */
  readonly operation?: string | undefined;
  readonly times: number;
}

export interface Faults {
  plan(fault: PlannedFault): void;
  clear(): void;
  /** The fault that hits this call, used up. */
  next(operation: string): FaultKind | undefined;
}

export function createFaults(): Faults {
  let planned: PlannedFault[] = [];
  return {
    plan: (fault) => void planned.push(fault),
    clear() {
      planned = [];
    },
    next(operation) {
      const hit = planned.find((fault) => fault.operation === undefined || fault.operation === operation);
      if (hit === undefined) return undefined;
      planned = planned.flatMap((fault) =>
        fault !== hit ? [fault] : fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [],
      );
      return hit.kind;
    },
  };
}

export const rateLimited = new StripeError(429, 'invalid_request_error', 'Too many requests hit the API too quickly.', {
  code: 'rate_limit',
});
export const serverError = new StripeError(500, 'api_error', 'An unknown error occurred.');
export const keyInUse = new StripeError(
  409,
  'idempotency_error',
  'Another request with this idempotency key is in progress.',
  { code: 'idempotency_key_in_use' },
);
