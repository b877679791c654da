import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { chargeType, queueUrl, sandboxOutcomeDelay, stripeSettings, tableNames } from '../environment.ts';
import { ticketSender } from '../messages/queues.ts';
import { secretReader } from '../messages/secrets.ts';
import type { settlementTicket } from '../contract/webhooks/tickets.ts';
import type { Database } from '../store/database.ts';
import { finishProcessorEvent } from '../store/payments/processor-events.ts';
import type {
  BankConnector,
  ConnectionStarter,
  DebitFinder,
  DebitProcessor,
  DebitRefunder,
  DebitVoider,
  DepositAccounts,
  NotificationRepairer,
  OutcomeAdvancer,
  ReferenceFinder,
  ProcessorBooks,
} from './processor.ts';
import { sandboxAdvancer, sandboxConnector, sandboxProcessor } from './sandbox/processor.ts';
import { sandboxFinder, sandboxRefunder, sandboxVoider, sandboxReferences } from './sandbox/debits.ts';
import { stripeBooks } from './stripe/books.ts';
import { stripeCaller, paced, type CallStripe, liveKeysOnly } from './stripe/client.ts';
import { stripeConnector, stripeStarter } from './stripe/bank-connection.ts';
import { stripeDepositAccounts } from './stripe/deposit-accounts.ts';
import { stripeFinder, stripeReferences } from './stripe/find-debit.ts';
import { stripeProcessor } from './stripe/processor.ts';
import { stripeRefunder, stripeVoider } from './stripe/void-and-refund.ts';
import { stripeRepairer } from './stripe/receive-event.ts';

// `builtForMode` is a build-time constant: a bundle contains only its own stage's processor.

export function connectorOfStage(): BankConnector {
  return builtForMode === 'sandbox' ? sandboxConnector : stripeConnector(stripe(), chargeType());
}

/** Live only: in the sandbox the page signs in to the bank. */
export function starterOfStage(): ConnectionStarter {
  return stripeStarter(stripe(), chargeType());
}

/** Live only. */
export function depositAccountsOfStage(): DepositAccounts {
  return stripeDepositAccounts(stripe(), chargeType());
}

export function voiderOfStage(database: Database): DebitVoider {
  return builtForMode === 'sandbox'
    ? sandboxVoider(ledger(database), sandboxOutcomeDelay())
    : stripeVoider({ call: database.call, tables: tableNames('processorDebits') }, stripe());
}

export function refunderOfStage(database: Database): DebitRefunder {
  return builtForMode === 'sandbox'
    ? sandboxRefunder(ledger(database), ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : stripeRefunder({ call: database.call, tables: tableNames('processorDebits') }, stripe());
}

export function processorOfStage(database: Database): DebitProcessor {
  return builtForMode === 'sandbox'
    ? sandboxProcessor(ledger(database), ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : stripeProcessor({ call: database.call, tables: tableNames('processorDebits', 'authorizations') }, stripe());
}

/** Sandbox only: a real bank cannot be hurried. */
export function advancerOfStage(database: Database): OutcomeAdvancer {
  return sandboxAdvancer(ledger(database), sandboxOutcomeDelay());
}

export function finderOfStage(database: Database): DebitFinder {
  return builtForMode === 'sandbox'
    ? sandboxFinder(ledger(database), ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : stripeFinder({ call: database.call, tables: tableNames('processorDebits') }, stripe());
}

export function referencesOfStage(): ReferenceFinder {
  return builtForMode === 'sandbox' ? sandboxReferences : stripeReferences(stripe());
}

/** Live only: the sandbox has no notifications. */
export function repairerOfStage(database: Database): NotificationRepairer {
  const stored = { call: database.call, tables: tableNames('processorDebits', 'processorEvents') };
  const sendSettlements = ticketSender(queueUrl('settlements'));
  return stripeRepairer({ database: stored, sendSettlements }, paced(stripe(), pause));
}

/** Live only. */
export function booksOfStage({ call }: Database): ProcessorBooks {
  return stripeBooks({ call, tables: tableNames('processorDebits') }, paced(stripe(), pause));
}

/** Marks the notification of a settlement ticket, if it has one, as done. */
export function notificationFinisherOfStage(
  database: Database,
): (ticket: z.infer<typeof settlementTicket>, now: number) => Promise<void> {
  if (builtForMode === 'sandbox') return async () => undefined;
  const stored = { call: database.call, tables: tableNames('processorEvents') };
  return async ({ sessionId, processorEventId }, now) => {
    if (processorEventId !== undefined) await finishProcessorEvent(stored, { sessionId, processorEventId }, now);
  };
}

function ledger({ call }: Database): Database<'sandboxDebits'> {
  return { call, tables: tableNames('sandboxDebits') };
}

function stripe(): CallStripe {
  const { secretId, apiBase, allowTestKeys } = stripeSettings();
  const readSecret = secretReader(secretId);
  return stripeCaller(allowTestKeys ? readSecret : liveKeysOnly(readSecret), apiBase);
}
