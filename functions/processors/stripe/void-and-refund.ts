import Stripe from 'stripe';
import type { EnteredDebit, ProcessorDebit } from '../../domain/payments/debit.ts';
import { minute } from '../../domain/time.ts';
import { Fault } from '../../domain/fault.ts';
import type { Database } from '../../store/database.ts';
import { countFailedCall, getProcessorDebit, voidProcessorDebit } from '../../store/payments/processor-debits.ts';
import type { DebitOrder, DebitVoider, DebitRefunder } from '../processor.ts';
import { requestKey, type CallStripe } from './client.ts';
import { refusalOf, isInvalid, isKept, logRefusal, logRefundRefusal } from './failures.ts';
import { cancelIntent, retrieveIntent, type PaymentIntent, createRefund, listRefunds } from './intents.ts';
import { enterLost, wasAuthorizedBefore } from './find-debit.ts';

/** After this time, a debit was submitted, or Stripe did not answer. */
const submissionTime = 5 * minute;

export function stripeVoider(database: Database, call: CallStripe): DebitVoider {
  async function cancel(debit: EnteredDebit, key: string): Promise<'voided' | 'too_late'> {
    const intent = await canceledOrNot(debit, key);
    // A refused debit can still be canceled, but then it is too late to void it.
    return intent.status === 'canceled' && !refusalOf(intent) ? 'voided' : 'too_late';
  }

  async function canceledOrNot(debit: EnteredDebit, key: string): Promise<PaymentIntent> {
    try {
      return await cancelIntent(call, debit, 'requested_by_customer', key);
    } catch (error) {
      if (!isInvalid(error)) throw error;
      // Stripe also refuses a second cancellation.
      return retrieveIntent(call, debit);
    }
  }

  /** Prevents a debit that does not exist yet. Undefined if there must be one, but neither we nor Stripe can find it. */
  async function voidOrFind(order: DebitOrder, now: number): Promise<ProcessorDebit | undefined> {
    const { sessionId, debitId } = order;
    if (debitId !== undefined || wasAuthorizedBefore(order, now - submissionTime)) {
      const found = await getProcessorDebit(database, sessionId);
      if (found?.debit || found?.voidedAt !== undefined) return found;
      const lost = await enterLost(database, call, order, now);
      if (lost || debitId !== undefined) return lost;
    }
    return voidProcessorDebit(database, sessionId, now);
  }

  return {
    async voidDebit(order, now) {
      const { sessionId } = order;
      try {
        const standing = await voidOrFind(order, now);
        if (!standing) return { result: 'unknown' };
        const { debit, failedCalls } = standing;
        return debit
          ? { result: await cancel(debit, requestKey('cancel', sessionId, failedCalls)) }
          : { result: 'voided' };
      } catch (error) {
        if (isKept(logRefusal(error, sessionId))) await countFailedCall(database, sessionId);
        return { result: 'unknown' };
      }
    },
  };
}

export function stripeRefunder(database: Database, call: CallStripe): DebitRefunder {
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
        // Stripe replays its own failure for a key. After any other error, a request with this key may still be running.
        if (isFailureOfStripe(error)) await countFailedCall(database, sessionId);
        return { result: 'unknown' };
      }
    },
  };
}

function isFailureOfStripe(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500;
}
