import type { EnteredDebit } from '../../domain/processor-debit.ts';
import type { Database } from '../../store/database.ts';
import { countServerError, voidProcessorDebit } from '../../store/processor-debits.ts';
import type { DebitVoider } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { cancelIntent, retrieveIntent } from './intents.ts';
import type { PaymentIntent } from './payment-intent.ts';
import { isInvalid, isServerError, logRefusal } from './refusal.ts';
import { requestKey } from './request-key.ts';

export function stripeVoider(database: Database<'processorDebits'>, call: CallStripe): DebitVoider {
  async function cancel(debit: EnteredDebit, key: string): Promise<'voided' | 'too_late'> {
    const { status, last_payment_error: refusal } = await canceledOrNot(debit, key);
    // A debit that the bank refused can still be canceled, too late.
    return status === 'canceled' && !refusal ? 'voided' : 'too_late';
  }

  async function canceledOrNot(debit: EnteredDebit, key: string): Promise<PaymentIntent> {
    try {
      return await cancelIntent(call, debit, key);
    } catch (error) {
      if (!isInvalid(error)) throw error;
      // A second cancellation is refused, too.
      return retrieveIntent(call, debit);
    }
  }

  return {
    async voidDebit({ sessionId }, now) {
      const { debit, serverErrors } = await voidProcessorDebit(database, sessionId, now);
      if (!debit) return { result: 'voided' };
      try {
        return { result: await cancel(debit, requestKey('cancel', sessionId, serverErrors)) };
      } catch (error) {
        if (isServerError(logRefusal(error, sessionId))) await countServerError(database, sessionId);
        return { result: 'unknown' };
      }
    },
  };
}
