import type { Database } from '../../store/database.ts';
import { getProcessorDebit } from '../../store/payments/processor-debits.ts';
import type { DebitFinder } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { debitStateOf, isDisputed } from './debit-state.ts';
import { listDisputes, retrieveIntent } from './intents.ts';
import { chargeOf } from './payment-intent.ts';
import { reverseTransfer } from './reverse-transfer.ts';

/** Looks the debit up at Stripe by its stored ID. Throws if Stripe does not answer. */
export function stripeFinder(database: Database<'processorDebits'>, call: CallStripe): DebitFinder {
  return {
    async findDebit(sessionId) {
      const found = await getProcessorDebit(database, sessionId);
      if (!found?.debit) return undefined;
      const { debitId, submittedAt } = found.debit;
      const intent = await retrieveIntent(call, found.debit);
      const state = debitStateOf(intent, isDisputed(intent) ? await listDisputes(call, found.debit) : []);
      return state && { debitId, submittedAt, state, refundedCents: chargeOf(intent)?.amount_refunded ?? 0 };
    },

    /** Stripe notifies us of every later outcome. All that is left is to reverse the transfer of a returned debit. */
    async acknowledge(sessionId, { state }, now) {
      if (state !== 'returned') return;
      const found = await getProcessorDebit(database, sessionId);
      if (found?.debit?.chargeType === 'destination') await reverseTransfer(call, sessionId, found.debit, now);
    },
  };
}
