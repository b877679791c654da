import type { Practice } from '../../functions/domain/practices/practice.ts';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import type { SendTickets } from '../../functions/messages/queues.ts';
import type {
  BankConnector,
  DebitProcessor,
  OutcomeAdvancer,
  ReferenceFinder,
} from '../../functions/processors/processor.ts';
import { sandboxAdvancer, sandboxConnector, sandboxProcessor } from '../../functions/processors/sandbox/processor.ts';
import { sandboxReferences } from '../../functions/processors/sandbox/debits.ts';
import { connectBank } from '../../functions/sessions/connect-bank.ts';
import type { LinkHolder } from '../../functions/sessions/find.ts';
import type { Database } from '../../functions/store/database.ts';
import { dueOutcomes, getSandboxDebit } from '../../functions/store/payments/sandbox-debits.ts';
import { ticketDuty, type Duty } from '../../functions/sweep/sweep.ts';
import type { Crash } from './crash.ts';

export const outcomeDelay = 3000;

interface BankDebit {
  readonly debitId: string;
  readonly submittedAt: string;
  readonly voided: boolean;
  /** The time of the next outcome that we have not acknowledged. */
  readonly dueAt: string | undefined;
}

/** The party that moves the money in a test. Payers are the sandbox's users with either bank. */
export interface TestBank {
  readonly mode: 'sandbox' | 'live';
  readonly references: ReferenceFinder;
  /** The practice's account at the processor. */
  readonly practice: Partial<Practice>;
  /** Whether a debit that cannot be voided can be prevented before it is submitted. */
  readonly voidsUnsubmitted: boolean;
  connect(database: Database, holder: LinkHolder, user: SandboxUser, now: number): Promise<void>;
  processor(database: Database, sendSettlements: SendTickets, crash: Crash): DebitProcessor;
  /** For simulations, which a real bank does not support. */
  sandbox?(database: Database): { readonly connector: BankConnector; readonly bank: OutcomeAdvancer };
  /** Returns the debit if the bank has it. */
  debitOf(database: Database, sessionId: string): Promise<BankDebit | undefined>;
  /** Sends a session's last refund back. Absent if the bank never does. */
  failRefund?(database: Database, sessionId: string): Promise<void>;
  /** The status of a debit that the bank does not have but could still get. */
  pendingDebit(database: Database, sessionId: string): Promise<string | undefined>;
  /** Retries outcomes. Does nothing if the bank repeats notifications instead. */
  settlements(database: Database, sendSettlements: SendTickets): Duty;
  notifications(database: Database, now: number): Promise<string[]>;
  /** When the next outcome is reported again, or Infinity. */
  nextOutcomeAt(database: Database): Promise<number>;
}

/** The first due time in a table's index, or Infinity. */
export async function firstDueIn(
  { call, tables }: Database,
  table: 'sessions' | 'events' | 'deliveries' | 'sandboxDebits',
): Promise<number> {
  const { Items = [] } = await call('Scan', { TableName: tables[table], IndexName: 'byDue' });
  return Math.min(...Items.map(({ dueAt }) => Date.parse(String(dueAt))));
}

export const sandboxBank: TestBank = {
  mode: 'sandbox',
  references: sandboxReferences,
  practice: {},
  voidsUnsubmitted: false,

  async connect(database, holder, username, now) {
    const signIn = { username, password: holder.practice.testBankPassword };
    await connectBank({ database, processor: sandboxConnector }, { ...holder, signIn }, now);
  },

  processor: (database, sendSettlements) => sandboxProcessor(database, sendSettlements, outcomeDelay),

  sandbox: (database) => ({ connector: sandboxConnector, bank: sandboxAdvancer(database, outcomeDelay) }),

  async debitOf(database, sessionId) {
    const entry = await getSandboxDebit(database, sessionId);
    if (!entry?.debit) return undefined;
    const { submittedAt } = entry.debit;
    return { debitId: `sandbox_${sessionId}`, submittedAt, voided: entry.voidedAt !== undefined, dueAt: entry.dueAt };
  },

  pendingDebit: async () => undefined,
  settlements: (database, sendSettlements) => ticketDuty(dueOutcomes(database), sendSettlements),
  notifications: async () => [],
  nextOutcomeAt: (database) => firstDueIn(database, 'sandboxDebits'),
};
