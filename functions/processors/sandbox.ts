import { equalInConstantTime, sha256 } from '../domain/identifier.ts';
import {
  connectionOf,
  debitStateAt,
  fateOf,
  isSandboxUser,
  nextOutcomeAt,
  sandboxAccount,
  type DebitFate,
  type SandboxDebit,
} from '../domain/sandbox-bank.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import {
  enterSandboxDebit,
  getSandboxDebit,
  reportSandboxOutcome,
  rescheduleOutcome,
  voidSandboxDebit,
} from '../store/sandbox-debits.ts';
import type { ConnectBank, DebitProcessor, DebitVoider, FoundDebit } from './processor.ts';
import { Fault } from '../domain/fault.ts';

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
  if (!fate) throw new Fault('a sandbox debit names an account that cannot be debited');
  return fate;
}

function debitId({ sessionId }: Pick<SandboxDebit, 'sessionId'>): string {
  return `sandbox_${sessionId}`;
}

/** The part of the sandbox bank that takes a debit back. */
export function sandboxVoider(database: Database<'sandboxDebits'>, outcomeDelay: number): DebitVoider {
  return {
    async voidDebit({ sessionId, processorAccount }, now) {
      const fate = requireFate(processorAccount);
      if (fate.end === 'never' && !fate.voidable) return 'too_late';
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (entry?.voidedAt !== undefined) return 'voided';
        if (entry?.debit) {
          const decided =
            debitStateAt(fate, Date.parse(entry.debit.submittedAt), outcomeDelay, now).state !== 'pending';
          // What was too late once stays so, also for a caller whose clock is behind.
          if (entry.reportedAt !== undefined || (decided && (await reportSandboxOutcome(database, sessionId, now))))
            return 'too_late';
        }
        // Refused where a debit or an outcome came meanwhile; an entry only ever goes forward, so this ends.
        if (await voidSandboxDebit(database, sessionId, entry, now)) return 'voided';
      }
    },
  };
}

/** The sandbox bank: a ledger with due times. The delayed ticket only makes the outcome prompt; the sweep brings it anyway. */
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
      return { result: 'submitted', debitId: debitId(entry), submittedAt };
    },

    async findDebit(sessionId, now): Promise<FoundDebit | undefined> {
      const entry = await getSandboxDebit(database, sessionId);
      if (!entry?.debit) return undefined;
      const { username, submittedAt } = entry.debit;
      const found = { debitId: debitId(entry), submittedAt };
      if (entry.voidedAt !== undefined) return { ...found, state: { state: 'voided' } };
      const state = debitStateAt(requireFate(username), Date.parse(submittedAt), outcomeDelay, now);
      // What the bank has said once can no longer be voided, and what was voided first is never said.
      if (state.state !== 'pending' && !(await reportSandboxOutcome(database, sessionId, now)))
        return { ...found, state: { state: 'voided' } };
      return { ...found, state };
    },

    async acknowledge(sessionId, now) {
      const entry = await getSandboxDebit(database, sessionId);
      if (!entry?.debit || entry.voidedAt !== undefined) return;
      const next = nextOutcomeAt(
        requireFate(entry.debit.username),
        Date.parse(entry.debit.submittedAt),
        outcomeDelay,
        now,
      );
      await rescheduleOutcome(database, sessionId, next);
      await announce(sessionId, next, now);
    },
  };
}
