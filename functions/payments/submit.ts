import { unreachable } from '../domain/fault.ts';
import { authorizationExpiry } from '../domain/payments/authorization.ts';
import type { Failure } from '../domain/payments/debit.ts';
import { debitWait } from '../domain/webhooks/retry-schedule.ts';
import { logInfo } from '../log.ts';
import type { DebitProcessor, OutcomeAdvancer } from '../processors/processor.ts';
import type { ReadingTools } from '../store/database.ts';
import { recordDebit, getExistingSession, rescheduleDebit } from '../store/sessions/sessions.ts';
import { writeFailure } from '../store/sessions/transitions.ts';
import { finishCancellation } from './cancel.ts';
import { finishRefund } from './refund.ts';
import { endVoided, settlePayment } from './settle.ts';
import type { Session } from '../domain/sessions/session.ts';

interface PaymentTools extends ReadingTools {
  readonly processor: DebitProcessor;
}

const authorizationExpired = {
  code: 'authorization_expired',
  message: 'The debit could not be submitted in time. Send a new link.',
} as const satisfies Failure;

/** Submits the debit of a processing session, or finishes its cancellation or a refund. Only a definitive refusal fails the session. */
export async function advancePayment(
  { database, processor }: PaymentTools,
  { sessionId }: { sessionId: string },
  now: number,
): Promise<void> {
  const session = await getExistingSession(database, sessionId);
  const { practiceId, status, debit, processorAccount, amountCents, debitAttempts = 0, cancelRequestedAt } = session;
  const { processingAt: authorizedAt, refundOrder, fee: feeCents } = session;
  if (refundOrder?.isOpen) {
    await finishRefund({ database, processor }, session, now);
    return;
  }
  if (status !== 'processing' || processorAccount === undefined) return;
  if (cancelRequestedAt !== undefined) {
    await finishCancellation({ database, processor }, session, now);
    return;
  }
  if (debit) return;

  const order = { sessionId, practiceId, amountCents, feeCents, processorAccount, authorizedAt };
  const retryAt = now + debitWait(debitAttempts + 1);
  if (authorizedAt !== undefined && now > authorizationExpiry(authorizedAt)) {
    const { result } = await processor.voidDebit(order, now);
    logInfo('old authorization', { sessionId, result });
    switch (result) {
      case 'voided':
        await writeFailure(database, session, authorizationExpired, now);
        return;
      case 'unknown':
        return rescheduleDebit(database, sessionId, retryAt);
      case 'too_late':
        // The debit was submitted, and takes its course.
        break;
      default:
        return unreachable(result);
    }
  }
  const submission = await processor.submitDebit(order, now);
  logInfo('debit submitted', { sessionId, result: submission.result, attemptNumber: debitAttempts + 1 });
  switch (submission.result) {
    case 'submitted': {
      const { debitId, submittedAt } = submission;
      return recordDebit(database, sessionId, { debitId, submittedAt });
    }
    case 'refused':
      await writeFailure(database, session, submission.failure, now);
      return;
    case 'unknown':
      return rescheduleDebit(database, sessionId, retryAt);
    case 'voided':
      await endVoided(database, session, now);
      return;
    default:
      return unreachable(submission);
  }
}

export interface AdvanceTools extends PaymentTools {
  readonly bank: OutcomeAdvancer;
}

/** Makes the bank's next outcome happen now, and records it. False if the session has no outcome left. */
export async function advanceOutcome(tools: AdvanceTools, session: Session, now: number): Promise<boolean> {
  const { sessionId } = session;
  const recorded = outcomesRecorded(session);
  await advancePayment(tools, { sessionId }, now);
  // The processor refused the debit, or another caller recorded the outcome.
  if (outcomesRecorded(await getExistingSession(tools.database, sessionId)) > recorded) return true;
  if (!(await tools.bank.advanceOutcomes(sessionId, recorded + 1, now))) return false;
  await settlePayment(tools, { sessionId }, now);
  return true;
}

function outcomesRecorded({ settledAt, failedAt, return: returned }: Session): number {
  return [settledAt ?? failedAt, returned].filter((fact) => fact !== undefined).length;
}
