import { Fault } from '../../domain/fault.ts';
import { fateOf, isSandboxUser, outcomesAt, type DebitFate } from '../../domain/payments/sandbox-bank.ts';
import type { Database } from '../../store/database.ts';
import { getSandboxDebit, reportSandboxOutcome, voidSandboxDebit } from '../../store/payments/sandbox-debits.ts';
import type { DebitVoider } from '../processor.ts';

/** Not in `processor.ts`, so that the functions that cancel do not load the queue client. */
export function sandboxVoider(database: Database<'sandboxDebits'>, outcomeDelay: number): DebitVoider {
  return {
    async voidDebit({ sessionId, processorAccount }, now) {
      const fate = requireFate(processorAccount);
      if (fate.end === 'never' && !fate.voidable) return { result: 'too_late' };
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (entry?.voidedAt !== undefined) return { result: 'voided' };
        if (entry?.debit) {
          const { happened } = outcomesAt(fate, entry.debit, outcomeDelay, now);
          // Once too late, always too late, even if the caller's clock is behind.
          if (
            entry.reportedAt !== undefined ||
            (happened > 0 && (await reportSandboxOutcome(database, sessionId, now)))
          )
            return { result: 'too_late' };
        }
        // Fails if the ledger has changed. Entries only move forward, so the loop ends.
        if (await voidSandboxDebit(database, sessionId, entry, now)) return { result: 'voided' };
      }
    },
  };
}

export function requireFate(username: string): DebitFate {
  const fate = isSandboxUser(username) ? fateOf(username) : undefined;
  if (!fate) throw new Fault('a sandbox debit names an account that cannot be debited');
  return fate;
}
