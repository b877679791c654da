import { debitWait } from '../domain/retry-schedule.ts';
import { logInfo } from '../log.ts';
import type { DebitOrder, DebitProcessor, Submission } from '../processors/processor.ts';
import type { Database } from '../store/database.ts';
import { rescheduleDebit, recordDebit, requireSession } from '../store/sessions.ts';
import { failSession } from '../store/transitions.ts';
import { finishCancellation } from './cancel.ts';
import { unreachable } from '../domain/fault.ts';

export interface PaymentTools {
  readonly database: Database<'sessions' | 'events' | 'invoiceClaims'>;
  readonly processor: DebitProcessor;
}

/**
 * Brings what a processing session asks of the processor one step on: a cancellation first, else its debit, at most one a session.
 * Only a definitive refusal fails the session; a debit that a void came before is left to the cancellation.
 */
export async function advancePayment(
  sessionId: string,
  { database, processor }: PaymentTools,
  now: number,
): Promise<void> {
  const session = await requireSession(database, sessionId);
  const { status, debit, processorAccount, amountCents, debitAttempts, cancelRequestedAt } = session;
  if (status !== 'processing' || processorAccount === undefined) return;
  if (cancelRequestedAt !== undefined) {
    await finishCancellation(session, { database, processor }, now);
    return;
  }
  if (debit) return;

  const submission = await submit(processor, { sessionId, amountCents, processorAccount }, debitAttempts, now);
  logInfo('debit submitted', { sessionId, result: submission.result, attempt: debitAttempts + 1 });
  switch (submission.result) {
    case 'submitted':
      return recordDebit(database, sessionId, { debitId: submission.debitId, submittedAt: submission.submittedAt });
    case 'refused':
      await failSession(database, session, submission.failure, now);
      return;
    case 'unknown':
      return rescheduleDebit(database, sessionId, now + debitWait(debitAttempts + 1));
    case 'voided':
      return;
    default:
      return unreachable(submission);
  }
}

/** After an unknown answer the debit is looked up before it is submitted again. */
async function submit(
  processor: DebitProcessor,
  order: DebitOrder,
  attempts: number,
  now: number,
): Promise<Submission> {
  const found = attempts > 0 ? await processor.findDebit(order.sessionId, now) : undefined;
  return found
    ? { result: 'submitted', debitId: found.debitId, submittedAt: found.submittedAt }
    : processor.submitDebit(order, now);
}
