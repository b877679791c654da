import Stripe from 'stripe';
import { Fault } from '../../domain/fault.ts';
import type { Database } from '../../store/database.ts';
import { countFailedCall, getProcessorDebit } from '../../store/payments/processor-debits.ts';
import type { DebitRefunder } from '../processor.ts';
import { requestKey, type CallStripe } from './client.ts';
import { logRefundRefusal } from './failures.ts';
import { createRefund, listRefunds } from './intents.ts';

export function stripeRefunder(database: Database<'processorDebits'>, call: CallStripe): DebitRefunder {
  return {
    async refundDebit(order) {
      const { sessionId, refundId } = order;
      const found = await getProcessorDebit(database, sessionId);
      if (!found?.debit) throw new Fault(`the debit of ${sessionId} is missing`);
      const { debit, failedCalls } = found;
      try {
        // Stripe forgets an idempotency key after a day, but not the refund.
        const refunds = await listRefunds(call, debit);
        const isRepeated = refunds.some(({ metadata }) => metadata?.['refundId'] === refundId);
        if (!isRepeated) await createRefund(call, debit, order, requestKey('refund', refundId, failedCalls));
        return { result: 'accepted', isRepeated };
      } catch (error) {
        const reason = logRefundRefusal(error, sessionId);
        if (reason) return { result: 'refused', reason };
        // Stripe replays its own failure for a key. After any other error, a request with this key may still be at work.
        if (isFailureOfStripe(error)) await countFailedCall(database, sessionId);
        return { result: 'unknown' };
      }
    },
  };
}

function isFailureOfStripe(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500;
}
