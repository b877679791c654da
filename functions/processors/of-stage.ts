import type * as z from 'zod/mini';
import { queueUrl, sandboxOutcomeDelay, tableNames } from '../environment.ts';
import { ticketSender, type SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import type { DueRows } from '../store/due-index.ts';
import { dueOutcomes } from '../store/sandbox-debits.ts';
import type { BankConnector, DebitProcessor, DebitVoider } from './processor.ts';
import { sandboxConnector } from './sandbox/connect-bank.ts';
import { sandboxProcessor } from './sandbox/processor.ts';
import { sandboxVoider } from './sandbox/void-debit.ts';
import { noConnector, noProcessor } from './unavailable.ts';

// `builtForMode` is a build-time constant: a bundle contains only its own stage's processor.

export function connectorOfStage(): BankConnector {
  return builtForMode === 'sandbox' ? sandboxConnector : noConnector;
}

export function voiderOfStage(database: Database): DebitVoider {
  return builtForMode === 'sandbox' ? sandboxVoider(ledger(database), sandboxOutcomeDelay()) : noProcessor;
}

export function processorOfStage(database: Database): DebitProcessor {
  return builtForMode === 'sandbox'
    ? sandboxProcessor(ledger(database), ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : noProcessor;
}

export interface OverdueOutcomes {
  readonly rows: DueRows<'sandboxDebits', z.ZodMiniType<{ sessionId: string }>>;
  readonly sendSettlements: SendTickets;
}

export function overdueOutcomesOfStage(database: Database): OverdueOutcomes | undefined {
  return builtForMode === 'sandbox'
    ? { rows: dueOutcomes(ledger(database)), sendSettlements: ticketSender(queueUrl('settlements')) }
    : undefined;
}

function ledger({ client }: Database): Database<'sandboxDebits'> {
  return { client, tables: tableNames('sandboxDebits') };
}
