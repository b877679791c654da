import { mode, queueUrl, sandboxOutcomeDelay } from '../environment.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import type { DebitProcessor } from './processor.ts';
import { sandboxProcessor } from './sandbox.ts';
import { noProcessor } from './unavailable.ts';

/** Loaded when the first ticket is sent: a cancellation sends none, and its function would start later by a tenth. */
function settlementSender(url: string): SendTickets {
  return async (tickets) => {
    const { ticketSender } = await import('../messages/queues.ts');
    await ticketSender(url)(tickets);
  };
}

/** The processor of the stage that this function runs in. */
export function processorOfStage(database: Database<'sandboxDebits'>): DebitProcessor {
  return mode() === 'sandbox' ? sandboxProcessor(database, settlementSender(queueUrl('settlements')), sandboxOutcomeDelay()) : noProcessor;
}
