import { equalInConstantTime, sha256 } from '../domain/identifier.ts';
import { connectionOf, debitStateAt, fateOf, isSandboxUser, nextOutcomeAt, sandboxAccount, type DebitFate } from '../domain/sandbox-bank.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { enterSandboxDebit, getSandboxDebit, scheduleSandboxOutcome, type SandboxDebit } from '../store/sandbox-debits.ts';
import type { ConnectBank, DebitProcessor } from './processor.ts';

/** Signs in to the sandbox bank: its users' names and the practice's test password; anything else is refused. */
export const connectSandboxBank: ConnectBank = async ({ username, password, practice }) => {
  const known = isSandboxUser(username) && equalInConstantTime(sha256(password), sha256(practice.testBankPassword));
  if (!known) return { result: 'refused' };
  const connection = connectionOf(username);
  if (!connection.connects) return { result: connection.unavailable ? 'unavailable' : 'refused' };
  return { result: 'connected', bankAccount: sandboxAccount(username), processorAccount: username };
};

function requireFate(username: string): DebitFate {
  const fate = isSandboxUser(username) ? fateOf(username) : undefined;
  if (!fate) throw new Error('a sandbox debit names an account that cannot be debited');
  return fate;
}

function debitId({ sessionId }: Pick<SandboxDebit, 'sessionId'>): string {
  return `sandbox_${sessionId}`;
}

/** The sandbox bank: a ledger with due times. The delayed ticket only makes the outcome prompt; the sweep brings it anyway. */
export function sandboxProcessor(database: Database<'sandboxDebits'>, sendSettlements: SendTickets, outcomeDelay: number): DebitProcessor {
  async function announce(sessionId: string, outcomeAt: number | undefined, now: number): Promise<void> {
    if (outcomeAt !== undefined) await sendSettlements([{ body: { sessionId }, delay: outcomeAt - now }]);
  }

  return {
    async submitDebit({ sessionId, amountCents, processorAccount }, now) {
      const fate = requireFate(processorAccount);
      if (fate.end === 'refused') return { result: 'refused', failure: fate.failure };
      const debit = await enterSandboxDebit(
        database,
        { sessionId, amountCents, username: processorAccount },
        now,
        nextOutcomeAt(fate, now, outcomeDelay, now),
      );
      await announce(sessionId, nextOutcomeAt(fate, Date.parse(debit.submittedAt), outcomeDelay, now), now);
      return { result: 'submitted', debitId: debitId(debit), submittedAt: debit.submittedAt };
    },

    async findDebit(sessionId, now) {
      const debit = await getSandboxDebit(database, sessionId);
      if (!debit) return undefined;
      const { submittedAt } = debit;
      return { debitId: debitId(debit), submittedAt, state: debitStateAt(requireFate(debit.username), Date.parse(submittedAt), outcomeDelay, now) };
    },

    async acknowledge(sessionId, now) {
      const debit = await getSandboxDebit(database, sessionId);
      if (!debit) return;
      const next = nextOutcomeAt(requireFate(debit.username), Date.parse(debit.submittedAt), outcomeDelay, now);
      await scheduleSandboxOutcome(database, sessionId, next);
      await announce(sessionId, next, now);
    },
  };
}
