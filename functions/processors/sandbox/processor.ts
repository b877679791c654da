import { debitStateAt, nextOutcomeAt } from '../../domain/sandbox-bank.ts';
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
      const entry = await enterSandboxDebit(database, order, now, nextOutcomeAt(fate, now, outcomeDelay, now));
      if (entry.voidedAt !== undefined || entry.debit === undefined) return { result: 'voided' };
      const { submittedAt } = entry.debit;
      await announce(sessionId, nextOutcomeAt(fate, Date.parse(submittedAt), outcomeDelay, now), now);
      return { result: 'submitted', debitId: debitIdOf(sessionId), submittedAt };
    },

    async findDebit(sessionId, now) {
      const entry = await getSandboxDebit(database, sessionId);
      if (!entry?.debit) return undefined;
      const { username, submittedAt } = entry.debit;
      const found = { debitId: debitIdOf(sessionId), submittedAt };
      if (entry.voidedAt !== undefined) return { ...found, state: { state: 'voided' } };
      const state = debitStateAt(requireFate(username), Date.parse(submittedAt), outcomeDelay, now);
      // A reported outcome cannot be voided, and a voided debit has no outcome.
      if (state.state !== 'pending' && !(await reportSandboxOutcome(database, sessionId, now)))
        return { ...found, state: { state: 'voided' } };
      return { ...found, state };
    },

    async acknowledge(sessionId, _state, now) {
      const entry = await getSandboxDebit(database, sessionId);
      if (!entry?.debit || entry.voidedAt !== undefined) return;
      const fate = requireFate(entry.debit.username);
      const next = nextOutcomeAt(fate, Date.parse(entry.debit.submittedAt), outcomeDelay, now);
      await rescheduleOutcome(database, sessionId, next);
      await announce(sessionId, next, now);
    },
  };
}

function debitIdOf(sessionId: string): string {
  return `sandbox_${sessionId}`;
}
