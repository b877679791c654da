import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { chargeType, queueUrl, sandboxOutcomeDelay, stripeSettings } from '../environment.ts';
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
  return builtForMode === 'sandbox' ? sandboxVoider(database, sandboxOutcomeDelay()) : stripeVoider(database, stripe());
}

export function refunderOfStage(database: Database): DebitRefunder {
  return builtForMode === 'sandbox'
    ? sandboxRefunder(database, ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : stripeRefunder(database, stripe());
}

export function processorOfStage(database: Database): DebitProcessor {
  return builtForMode === 'sandbox'
    ? sandboxProcessor(database, ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : stripeProcessor(database, stripe());
}

/** Sandbox only: a real bank cannot be hurried. */
export function advancerOfStage(database: Database): OutcomeAdvancer {
  return sandboxAdvancer(database, sandboxOutcomeDelay());
}

export function finderOfStage(database: Database): DebitFinder {
  return builtForMode === 'sandbox'
    ? sandboxFinder(database, ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : stripeFinder(database, stripe());
}

export function referencesOfStage(): ReferenceFinder {
  return builtForMode === 'sandbox' ? sandboxReferences : stripeReferences(stripe());
}

/** Live only: the sandbox has no notifications. */
export function repairerOfStage(database: Database): NotificationRepairer {
  return stripeRepairer({ database, sendSettlements: ticketSender(queueUrl('settlements')) }, paced(stripe(), pause));
}

/** Live only. */
export function booksOfStage(database: Database): ProcessorBooks {
  return stripeBooks(database, paced(stripe(), pause));
}

/** Marks the notification of a settlement ticket, if it has one, as done. */
export function notificationFinisherOfStage(
  database: Database,
): (ticket: z.infer<typeof settlementTicket>, now: number) => Promise<void> {
  if (builtForMode === 'sandbox') return async () => undefined;
  return async ({ sessionId, processorEventId }, now) => {
    if (processorEventId !== undefined) await finishProcessorEvent(database, { sessionId, processorEventId }, now);
  };
}

function stripe(): CallStripe {
  const { secretId, apiBase, allowTestKeys } = stripeSettings();
  const readSecret = secretReader(secretId);
  return stripeCaller(allowTestKeys ? readSecret : liveKeysOnly(readSecret), apiBase);
}
