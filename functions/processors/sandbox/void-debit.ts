import { Fault } from '../../domain/fault.ts';
import { debitStateAt, fateOf, isSandboxUser, type DebitFate } from '../../domain/sandbox-bank.ts';
import type { Database } from '../../store/database.ts';
import { getSandboxDebit, reportSandboxOutcome, voidSandboxDebit } from '../../store/sandbox-debits.ts';
import type { DebitVoider } from '../processor.ts';

/** The sandbox bank's void, apart from the rest so that cancelling loads no queue client. `outcomeDelay` in milliseconds. */
export function sandboxVoider(database: Database<'sandboxDebits'>, outcomeDelay: number): DebitVoider {
  return {
    async voidDebit({ sessionId, processorAccount }, now) {
      const fate = requireFate(processorAccount);
      if (fate.end === 'never' && !fate.voidable) return { result: 'too_late' };
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (entry?.voidedAt !== undefined) return { result: 'voided' };
        if (entry?.debit) {
          const submittedAt = Date.parse(entry.debit.submittedAt);
          const decided = debitStateAt(fate, submittedAt, outcomeDelay, now).state !== 'pending';
          // Once too late, always too late, also for a caller whose clock is behind.
          if (entry.reportedAt !== undefined || (decided && (await reportSandboxOutcome(database, sessionId, now))))
            return { result: 'too_late' };
        }
        // Refused if a debit or an outcome was written in between. Entries only move forward, so this ends.
        if (await voidSandboxDebit(database, sessionId, entry, now)) return { result: 'voided' };
      }
    },
  };
}

/** The fate of a user's debits. Throws a fault for an account that cannot be debited. */
export function requireFate(username: string): DebitFate {
  const fate = isSandboxUser(username) ? fateOf(username) : undefined;
  if (!fate) throw new Fault('a sandbox debit names an account that cannot be debited');
  return fate;
}
