import { outcomesAt } from '../../domain/payments/sandbox-bank.ts';
import { toIso } from '../../domain/time.ts';
import type { SendTickets } from '../../messages/queues.ts';
import type { Database } from '../../store/database.ts';
import { enterSandboxDebit } from '../../store/payments/sandbox-debits.ts';
import type { DebitProcessor } from '../processor.ts';
import { announce, debitIdOf, sandboxFinder } from './find-debit.ts';
import { requireFate, sandboxVoider } from './void-debit.ts';

export function sandboxProcessor(
  database: Database<'sandboxDebits'>,
  sendSettlements: SendTickets,
  outcomeDelay: number,
): DebitProcessor {
  return {
    ...sandboxVoider(database, outcomeDelay),
    ...sandboxFinder(database, sendSettlements, outcomeDelay),

    async submitDebit({ sessionId, amountCents, processorAccount }, now) {
      const fate = requireFate(processorAccount);
      if (fate.end === 'refused') return { result: 'refused', failure: fate.failure };
      const order = { sessionId, amountCents, username: processorAccount };
      const [firstOutcomeAt] = outcomesAt(fate, { submittedAt: toIso(now) }, outcomeDelay, now).times;
      const entry = await enterSandboxDebit(database, order, now, firstOutcomeAt);
      if (entry.voidedAt !== undefined || entry.debit === undefined) return { result: 'voided' };
      const { times, happened } = outcomesAt(fate, entry.debit, outcomeDelay, now);
      await announce(sendSettlements, sessionId, times[happened], now);
      return { result: 'submitted', debitId: debitIdOf(sessionId), submittedAt: entry.debit.submittedAt };
    },
  };
}
