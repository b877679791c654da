import { connectionOf, isSandboxUser, outcomesAt, sandboxAccount } from '../../domain/payments/sandbox-bank.ts';
import { toIso } from '../../domain/time.ts';
import type { SendTickets } from '../../messages/queues.ts';
import type { Database } from '../../store/database.ts';
import { advanceSandboxDebit, enterSandboxDebit, getSandboxDebit } from '../../store/payments/sandbox-debits.ts';
import type { BankConnector, DebitProcessor, OutcomeAdvancer } from '../processor.ts';
import { announce, debitIdOf, requireFate, sandboxFinder, sandboxRefunder, sandboxVoider } from './debits.ts';
import { equalInConstantTime, sha256 } from '../../domain/identifier.ts';

export const sandboxConnector: BankConnector = {
  async connectBank({ signIn, practice }) {
    if (!signIn) return { result: 'refused' };
    const { bank, username, password } = signIn;
    if (bank === 'unavailable_bank') return { result: 'unavailable' };
    const known = isSandboxUser(username) && equalInConstantTime(sha256(password), sha256(practice.testBankPassword));
    if (!known) return { result: 'refused' };
    const connection = connectionOf(username);
    if (!connection.connects) return { result: connection.unavailable ? 'unavailable' : 'refused' };
    return { result: 'connected', bankAccount: sandboxAccount(username), processorAccount: username };
  },
};

export function sandboxProcessor(
  database: Database,
  sendSettlements: SendTickets,
  outcomeDelay: number,
): DebitProcessor {
  return {
    ...sandboxVoider(database, outcomeDelay),
    ...sandboxFinder(database, sendSettlements, outcomeDelay),
    ...sandboxRefunder(database, sendSettlements, outcomeDelay),

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

export function sandboxAdvancer(database: Database, outcomeDelay: number): OutcomeAdvancer {
  return {
    async advanceOutcomes(sessionId, count, now) {
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (!entry?.debit || entry.voidedAt !== undefined) return false;
        const { debit, reportedAt } = entry;
        // A slow request must not undo what was reported after it began.
        const latest = reportedAt === undefined ? now : Math.max(now, Date.parse(reportedAt));
        const { total, times, happened } = outcomesAt(requireFate(debit.username), debit, outcomeDelay, latest);
        if (count > total) return false;
        if (happened >= count) return true;
        const before = times.slice(0, count - 1);
        const at = Math.max(now, before.at(-1) ?? Date.parse(debit.submittedAt));
        // Fails if the ledger has changed. Entries only move forward, so the loop ends.
        if (
          await advanceSandboxDebit(
            database,
            { ...entry, debit },
            { ...debit, advanced: [...before, at].map(toIso) },
            now,
          )
        )
          return true;
      }
    },
  };
}
