import { debitStateOf, outcomesAt, outcomesIn } from '../../domain/sandbox-bank.ts';
import { toIso } from '../../domain/time.ts';
import type { SendTickets } from '../../messages/queues.ts';
import type { Database } from '../../store/database.ts';
import {
  enterSandboxDebit,
  getSandboxDebit,
  reportSandboxOutcome,
  rescheduleOutcome,
} from '../../store/sandbox-debits.ts';
import type { DebitProcessor } from '../processor.ts';
import { requireFate, sandboxVoider } from './void-debit.ts';

export function sandboxProcessor(
  database: Database<'sandboxDebits'>,
  sendSettlements: SendTickets,
  outcomeDelay: number,
): DebitProcessor {
  async function announce(sessionId: string, outcomeAt: number | undefined, now: number): Promise<void> {
    if (outcomeAt !== undefined) await sendSettlements([{ body: { sessionId }, delay: outcomeAt - now }]);
  }

  return {
    ...sandboxVoider(database, outcomeDelay),

    async submitDebit({ sessionId, amountCents, processorAccount }, now) {
      const fate = requireFate(processorAccount);
      if (fate.end === 'refused') return { result: 'refused', failure: fate.failure };
      const order = { sessionId, amountCents, username: processorAccount };
      const [firstOutcomeAt] = outcomesAt(fate, { submittedAt: toIso(now) }, outcomeDelay, now).times;
      const entry = await enterSandboxDebit(database, order, now, firstOutcomeAt);
      if (entry.voidedAt !== undefined || entry.debit === undefined) return { result: 'voided' };
      const { times, happened } = outcomesAt(fate, entry.debit, outcomeDelay, now);
      await announce(sessionId, times[happened], now);
      return { result: 'submitted', debitId: debitIdOf(sessionId), submittedAt: entry.debit.submittedAt };
    },

    async findDebit(sessionId, now) {
      const entry = await getSandboxDebit(database, sessionId);
      if (!entry?.debit) return undefined;
      const { username, submittedAt } = entry.debit;
      const found = { debitId: debitIdOf(sessionId), submittedAt };
      if (entry.voidedAt !== undefined) return { ...found, state: { state: 'voided' } };
      const fate = requireFate(username);
      const state = debitStateOf(fate, outcomesAt(fate, entry.debit, outcomeDelay, now));
      // A reported outcome cannot be voided, and a voided debit has no outcome.
      if (state.state !== 'pending' && !(await reportSandboxOutcome(database, sessionId, now)))
        return { ...found, state: { state: 'voided' } };
      return { ...found, state };
    },

    async acknowledge(sessionId, state, now) {
      const entry = await getSandboxDebit(database, sessionId);
      if (!entry?.debit || entry.voidedAt !== undefined) return;
      const { times } = outcomesAt(requireFate(entry.debit.username), entry.debit, outcomeDelay, now);
      // Not the next one by the clock: another outcome may have happened since this state was read.
      const next = times[outcomesIn(state)];
      await rescheduleOutcome(database, sessionId, next);
      await announce(sessionId, next, now);
    },
  };
}

function debitIdOf(sessionId: string): string {
  return `sandbox_${sessionId}`;
}
