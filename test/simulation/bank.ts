import type { Session } from '../../functions/domain/sessions/session.ts';
import type { SendTickets } from '../../functions/messages/queues.ts';
import type { BankConnector, DebitProcessor, OutcomeAdvancer } from '../../functions/processors/processor.ts';
import type { LinkHolder } from '../../functions/sessions/find.ts';
import type { Database } from '../../functions/store/database.ts';
import type { Duty } from '../../functions/sweep/sweep.ts';
import type { Rows } from './tables.ts';
import type { World } from './world.ts';

/** A debit that the bank took, as the bank itself reports it. */
export interface BankDebit {
  readonly sessionId: string;
  readonly cents: number;
  readonly state: 'pending' | 'paid' | 'failed' | 'voided' | 'returned';
  readonly refunds: readonly {
    readonly id: string;
    readonly cents: number;
    readonly state: 'pending' | 'given' | 'failed';
  }[];
}

export interface Bank {
  readonly mode: 'sandbox' | 'live';
  readonly users: readonly string[];
  /** The practice's account. */
  account(): Promise<{ depositAccountId?: string }>;
  connect(holder: LinkHolder, user: string): Promise<Session>;
  readonly processor: DebitProcessor;
  readonly sandbox?: { readonly connector: BankConnector; readonly bank: OutcomeAdvancer };
  readonly settlements: Duty;
  /** Does something that banks do by themselves. */
  act(): Promise<void>;
  /** Answers every debit and refund that is open. */
  rest(): Promise<void>;
  /** New notifications from the processor. Calling one sends it. */
  notifications(): Promise<(() => Promise<void>)[]>;
  debits(rows: Rows): Promise<BankDebit[]>;
  /** Compares the books with the processor's, as a schedule does. Throws a Fault if some could not be read. */
  readonly reconcile?: () => Promise<void>;
  stop(): Promise<void>;
}

export interface BankTools {
  readonly world: World;
  readonly database: Database;
  readonly sendSettlements: SendTickets;
}
