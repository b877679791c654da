import type { EnteredDebit } from '../../domain/processor-debit.ts';
import type { Database } from '../../store/database.ts';
import { countFailedCall, voidProcessorDebit } from '../../store/processor-debits.ts';
import type { DebitVoider } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { refusalOf } from './failures.ts';
import { cancelIntent, retrieveIntent } from './intents.ts';
import type { PaymentIntent } from './payment-intent.ts';
import { isInvalid, isKept, logRefusal } from './refusal.ts';
import { requestKey } from './request-key.ts';

export function stripeVoider(database: Database<'processorDebits'>, call: CallStripe): DebitVoider {
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

  return {
    async voidDebit({ sessionId }, now) {
      const { debit, failedCalls } = await voidProcessorDebit(database, sessionId, now);
      if (!debit) return { result: 'voided' };
      try {
        return { result: await cancel(debit, requestKey('cancel', sessionId, failedCalls)) };
      } catch (error) {
        if (isKept(logRefusal(error, sessionId))) await countFailedCall(database, sessionId);
        return { result: 'unknown' };
      }
    },
  };
}
