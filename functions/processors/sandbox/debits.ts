import {
  centsIn,
  debitStateOf,
  fateOf,
  isSandboxUser,
  outcomesAt,
  outcomesIn,
  refundedAt,
  refundTotalsOf,
  waitsForAdvance,
  type DebitFate,
} from '../../domain/payments/sandbox-bank.ts';
import type { SendTickets } from '../../messages/queues.ts';
import type { Database } from '../../store/database.ts';
import {
  addSandboxRefund,
  getSandboxDebit,
  reportSandboxOutcome,
  rescheduleOutcome,
  voidSandboxDebit,
} from '../../store/payments/sandbox-debits.ts';
import { toIso } from '../../domain/time.ts';
import type { DebitFinder, DebitRefunder, DebitVoider, ReferenceFinder } from '../processor.ts';
import { Fault } from '../../domain/fault.ts';

/** Kept out of `processor.ts` so that the function that settles debits cannot submit one. */
export function sandboxFinder(database: Database, sendSettlements: SendTickets, outcomeDelay: number): DebitFinder {
  return {
    async findDebit(sessionId, now) {
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (!entry?.debit) return undefined;
        const { debit, refunds, voidedAt } = entry;
        const found = { debitId: debitIdOf(sessionId), submittedAt: debit.submittedAt };
        if (voidedAt !== undefined) return { ...found, state: { state: 'voided' } };
        const fate = requireFate(debit.username);
        const state = debitStateOf(fate, outcomesAt(fate, debit, outcomeDelay, now));
        // A reported outcome cannot be voided or taken back. Fails if the ledger has changed.
        if (state.state !== 'pending' && !(await reportSandboxOutcome(database, { ...entry, debit }, now))) continue;
        return { ...found, state, refunds: refundTotalsOf(refunds, outcomeDelay, now) };
      }
    },

    async acknowledge(sessionId, state, now) {
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (!entry?.debit || entry.voidedAt !== undefined) return;
        const { times } = outcomesAt(requireFate(entry.debit.username), entry.debit, outcomeDelay, now);
        // Do not pick the next outcome by the clock: another one may have happened since this state was read.
        const outcomes = times.slice(outcomesIn(state), outcomesIn(state) + 1);
        const refunds = entry.refunds?.map((refund) => refundedAt(refund, outcomeDelay)).filter((at) => at > now);
        const next = earliestOf([...outcomes, ...(refunds ?? [])]);
        // Fails if a refund was added, whose outcome must stay due.
        if (!(await rescheduleOutcome(database, entry, next))) continue;
        return announce(sendSettlements, sessionId, next, now);
      }
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

/** Kept out of `processor.ts` so that the functions that cancel do not load the queue client. */
export function sandboxVoider(database: Database, outcomeDelay: number): DebitVoider {
  return {
    async voidDebit({ sessionId, processorAccount }, now) {
      const fate = requireFate(processorAccount);
      if (waitsForAdvance(fate)) return { result: 'too_late' };
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (entry?.voidedAt !== undefined) return { result: 'voided' };
        if (entry?.debit) {
          const { happened } = outcomesAt(fate, entry.debit, outcomeDelay, now);
          // Once too late, always too late, even if the caller's clock is behind.
          if (
            entry.reportedAt !== undefined ||
            (happened > 0 && (await reportSandboxOutcome(database, { ...entry, debit: entry.debit }, now)))
          )
            return { result: 'too_late' };
        }
        // Fails if the ledger has changed. Entries only move forward, so the loop ends.
        if (await voidSandboxDebit(database, sessionId, entry, now)) return { result: 'voided' };
      }
    },
  };
}

/** Kept out of `processor.ts` so that the function that refunds cannot submit a debit. */
export function sandboxRefunder(database: Database, sendSettlements: SendTickets, outcomeDelay: number): DebitRefunder {
  return {
    async refundDebit({ sessionId, refundId, amountCents }, now) {
      for (;;) {
        const entry = await getSandboxDebit(database, sessionId);
        if (!entry?.debit || entry.voidedAt !== undefined) return { result: 'refused', reason: 'other' };
        const { debit, refunds = [], dueAt } = entry;
        const known = refunds.find((each) => each.refundId === refundId);
        const refund = known ?? { refundId, amountCents, createdAt: toIso(now) };
        const at = refundedAt(refund, outcomeDelay);
        if (!known) {
          const fate = requireFate(debit.username);
          const { state } = debitStateOf(fate, outcomesAt(fate, debit, outcomeDelay, now));
          if (state !== 'succeeded') return { result: 'refused', reason: state === 'returned' ? 'disputed' : 'other' };
          if (centsIn(refunds) + amountCents > debit.amountCents) return { result: 'refused', reason: 'too_large' };
          const due = dueAt === undefined ? at : Math.min(at, Date.parse(dueAt));
          // Fails if another refund was added.
          if (!(await addSandboxRefund(database, entry, refund, due))) continue;
        }
        await announce(sendSettlements, sessionId, at, now);
        return { result: 'accepted', isRepeated: known !== undefined };
      }
    },
  };
}

function earliestOf(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}

export function requireFate(username: string): DebitFate {
  const fate = isSandboxUser(username) ? fateOf(username) : undefined;
  if (!fate) throw new Fault('a sandbox debit names an account that cannot be debited');
  return fate;
}

/** Look like a real processor's, but no bank knows them. */
export const sandboxReferences: ReferenceFinder = {
  async findReferences({ debitId }) {
    return { mandate: `mandate_${debitId}`, payment: debitId, routingNumberLast4: '0000' };
  },
};
