import { outcomesAt } from '../../domain/payments/sandbox-bank.ts';
import type { Database } from '../../store/database.ts';
import { advanceSandboxDebit, getSandboxDebit } from '../../store/payments/sandbox-debits.ts';
import type { OutcomeAdvancer } from '../processor.ts';
import { requireFate } from './void-debit.ts';

export function sandboxAdvancer(database: Database<'sandboxDebits'>, outcomeDelay: number): OutcomeAdvancer {
  return {
    async advanceOutcomes(sessionId, count, now) {
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (!entry?.debit || entry.voidedAt !== undefined) return false;
        const { debit } = entry;
        const { total, times, happened } = outcomesAt(requireFate(debit.username), debit, outcomeDelay, now);
        if (count > total) return false;
        if (happened >= count) return true;
        const before = times.slice(0, count - 1);
        const at = Math.max(now, before.at(-1) ?? Date.parse(debit.submittedAt));
        // Fails if the ledger has changed. Entries only move forward, so the loop ends.
        if (await advanceSandboxDebit(database, sessionId, debit, [...before, at], now)) return true;
      }
    },
  };
}
