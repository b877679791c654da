import {
  debitStateOf,
  fateOf,
  isSandboxUser,
  outcomesAt,
  outcomesIn,
  type DebitFate,
} from '../../domain/payments/sandbox-bank.ts';
import type { SendTickets } from '../../messages/queues.ts';
import type { Database } from '../../store/database.ts';
import {
  getSandboxDebit,
  reportSandboxOutcome,
  rescheduleOutcome,
  voidSandboxDebit,
} from '../../store/payments/sandbox-debits.ts';
import type { DebitFinder, DebitVoider } from '../processor.ts';
import { Fault } from '../../domain/fault.ts';

/** Not in `processor.ts`, so that the function that settles debits cannot submit one. */
export function sandboxFinder(
  database: Database<'sandboxDebits'>,
  sendSettlements: SendTickets,
  outcomeDelay: number,
): DebitFinder {
  return {
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
      await announce(sendSettlements, sessionId, next, now);
    },
  };
}

export function debitIdOf(sessionId: string): string {
  return `sandbox_${sessionId}`;
}

export async function announce(
  sendSettlements: SendTickets,
  sessionId: string,
  outcomeAt: number | undefined,
  now: number,
): Promise<void> {
  if (outcomeAt !== undefined) await sendSettlements([{ body: { sessionId }, delay: outcomeAt - now }]);
}

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
