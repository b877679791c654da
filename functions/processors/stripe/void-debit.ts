import type { EnteredDebit } from '../../domain/processor-debit.ts';
import type { Database } from '../../store/database.ts';
import { countServerError, voidProcessorDebit } from '../../store/processor-debits.ts';
import type { DebitVoider } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { cancelIntent, retrieveIntent } from './intents.ts';
import { isInvalid, isServerError, logRefusal } from './refusal.ts';
import { requestKey } from './request-key.ts';

export function stripeVoider(database: Database<'processorDebits'>, call: CallStripe): DebitVoider {
  async function cancel(debit: EnteredDebit, key: string): Promise<'voided' | 'too_late'> {
    try {
      await cancelIntent(call, debit, key);
      return 'voided';
    } catch (error) {
      if (!isInvalid(error)) throw error;
      // A second cancellation is refused, too.
      const { status } = await retrieveIntent(call, debit);
      return status === 'canceled' ? 'voided' : 'too_late';
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
