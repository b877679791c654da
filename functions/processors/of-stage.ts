import { mode, queueUrl, sandboxOutcomeDelay } from '../environment.ts';
import { ticketSender } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import type { DebitProcessor } from './processor.ts';
import { sandboxProcessor } from './sandbox.ts';
import { noProcessor } from './unavailable.ts';

/** The processor of the stage that this function runs in. */
export function processorOfStage(database: Database<'sandboxDebits'>): DebitProcessor {
  return mode() === 'sandbox'
    ? sandboxProcessor(database, ticketSender(queueUrl('settlements')), sandboxOutcomeDelay())
    : noProcessor;
}
