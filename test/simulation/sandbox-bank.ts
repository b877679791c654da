import { sandboxAdvancer, sandboxConnector, sandboxProcessor } from '../../functions/processors/sandbox/processor.ts';
import { connectBank } from '../../functions/sessions/connect-bank.ts';
import { dueOutcomes } from '../../functions/store/payments/sandbox-debits.ts';
import { ticketDuty } from '../../functions/sweep/sweep.ts';
import type { Bank, BankDebit, BankTools } from './bank.ts';

const outcomeDelay = 3000;

export function sandboxBank({ world, database, sendSettlements }: BankTools): Bank {
  return {
    mode: 'sandbox',
    users: [
      'user_good',
      'user_good',
      'user_good',
      'user_late_return',
      'user_late_return',
      'user_insufficient_funds',
      'user_stuck',
      'user_sent',
      'user_processor_error',
      'user_bad',
    ],
    account: async () => ({}),
    async connect(holder, username) {
      const signIn = { username, password: holder.practice.testBankPassword };
      return connectBank({ database, processor: sandboxConnector }, { ...holder, signIn }, world.clock());
    },
    processor: sandboxProcessor(database, sendSettlements, outcomeDelay),
    sandbox: { connector: sandboxConnector, bank: sandboxAdvancer(database, outcomeDelay) },
    settlements: ticketDuty(dueOutcomes(database), sendSettlements),
    // Its outcomes come with time.
    act: async () => world.pass(outcomeDelay),
    rest: async () => undefined,
    notifications: async () => [],
    async debits(rows) {
      return rows.sandboxDebits.flatMap((row): BankDebit[] => {
        const debit = row['debit'] as
          | { username: string; amountCents: number; submittedAt: string; advanced?: string[] }
          | undefined;
        if (!debit) return [];
        const started = Date.parse(debit.submittedAt);
        const outcomes = debit.advanced?.length ?? Math.floor((world.now() - started) / outcomeDelay);
        // The bank holds the outcome of 'user_sent' until somebody advances it.
        const pays =
          ['user_good', 'user_late_return'].includes(debit.username) ||
          (debit.username === 'user_sent' && debit.advanced !== undefined);
        const fails = debit.username === 'user_insufficient_funds';
        const refunds = (row['refunds'] ?? []) as { refundId: string; amountCents: number }[];
        return [
          {
            sessionId: String(row['sessionId']),
            cents: debit.amountCents,
            state:
              row['voidedAt'] !== undefined
                ? 'voided'
                : outcomes < 1
                  ? 'pending'
                  : fails
                    ? 'failed'
                    : !pays
                      ? 'pending'
                      : outcomes > 1 && debit.username === 'user_late_return'
                        ? 'returned'
                        : 'paid',
            refunds: refunds.map(({ refundId, amountCents }) => ({ id: refundId, cents: amountCents, state: 'given' })),
          },
        ];
      });
    },
    stop: async () => undefined,
  };
}
