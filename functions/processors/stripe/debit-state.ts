import type { DebitState } from '../../domain/payments/debit.ts';
import { unreachable } from '../../domain/fault.ts';
import { toIso } from '../../domain/time.ts';
import { refusalOf, returnOf } from './failures.ts';
import { chargeOf, type Dispute, type PaymentIntent } from './payment-intent.ts';

/** Undefined if the intent has no charge: there was never a debit. */
export function debitStateOf(intent: PaymentIntent, disputes: readonly Dispute[]): DebitState | undefined {
  const { status } = intent;
  const failure = refusalOf(intent);
  if (!intent.latest_charge) return undefined;
  const at = toIso((chargeOf(intent)?.created ?? intent.created) * 1000);
  switch (status) {
    case 'processing':
    case 'requires_capture':
      return { state: 'pending' };
    case 'succeeded': {
      const lost = disputes.find((dispute) => !keepsTheMoney.has(dispute.status));
      return lost ? { state: 'returned', at, return: returnOf(lost.reason) } : { state: 'succeeded', at };
    }
    case 'canceled':
    case 'requires_payment_method':
      return failure ? { state: 'failed', at, failure } : { state: 'voided' };
    case 'requires_action':
    case 'requires_confirmation':
      return undefined;
    default:
      return unreachable(status);
  }
}

export function isDisputed(intent: PaymentIntent): boolean {
  return chargeOf(intent)?.disputed === true;
}

const keepsTheMoney = new Set(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed']);
