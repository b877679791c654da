import { debitTicket } from '../contract/tickets.ts';
import { debitWait } from '../domain/retry-schedule.ts';
import { mode, queueUrl, sandboxOutcomeDelay, tableNames } from '../environment.ts';
import { logger } from '../log.ts';
import { ticketSender } from '../messages/queues.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import type { DebitProcessor, Submission } from '../processors/processor.ts';
import { sandboxProcessor } from '../processors/sandbox.ts';
import { noProcessor } from '../processors/unavailable.ts';
import { connect } from '../store/database.ts';
import { postponeDebit, recordDebit, requireSession } from '../store/sessions.ts';
import { failSession } from '../store/transitions.ts';

const database = connect(tableNames('sessions', 'events', 'invoiceClaims', 'sandboxDebits'));
const processor = mode() === 'sandbox' ? sandboxProcessor(database, ticketSender(queueUrl('settlements')), sandboxOutcomeDelay()) : noProcessor;

/** Hands an authorised debit to the processor, at most once a session. Only a definitive refusal fails the session. */
export const handler = ticketHandler(debitTicket, async ({ sessionId }) => {
  const now = Date.now();
  const session = await requireSession(database, sessionId);
  const { status, debit, processorAccount, amountCents, debitAttempts } = session;
  if (status !== 'processing' || debit || processorAccount === undefined) return;

  const submission = await submit(processor, { sessionId, amountCents, processorAccount }, debitAttempts, now);
  logger.info('debit submitted', { sessionId, result: submission.result, attempt: debitAttempts + 1 });
  switch (submission.result) {
    case 'submitted':
      return recordDebit(database, sessionId, { debitId: submission.debitId, submittedAt: submission.submittedAt });
    case 'refused':
      await failSession(database, session, submission.failure, now);
      return;
    case 'unknown':
      return postponeDebit(database, sessionId, now + debitWait(debitAttempts + 1));
    default: {
      const unknown: never = submission;
      throw new Error(`unknown submission ${String(unknown)}`);
    }
  }
});

/** After an unknown answer the debit is looked up before it is submitted again. */
async function submit(to: DebitProcessor, order: Parameters<DebitProcessor['submitDebit']>[0], attempts: number, now: number): Promise<Submission> {
  const found = attempts > 0 ? await to.findDebit(order.sessionId, now) : undefined;
  return found ? { result: 'submitted', debitId: found.debitId, submittedAt: found.submittedAt } : to.submitDebit(order, now);
}
