import { Fault, unreachable } from '../domain/fault.ts';
import type { Session } from '../domain/sessions/session.ts';
import { logInfo } from '../log.ts';
import type { DebitVoider } from '../processors/processor.ts';
import type { ReadingTools } from '../store/database.ts';
import { requestCancellation, withdrawCancellation, type CancellationParts } from '../store/sessions/cancellations.ts';
import { writeCancellation } from '../store/sessions/transitions.ts';

export interface CancelTools extends ReadingTools {
  readonly processor: DebitVoider;
}

/** `too_late`: the bank has the debit. `pending`: the processor has not responded. `key_reused`: nothing was done. */
export type Cancellation =
  | { readonly result: 'cancelled'; readonly cancelledAt: string }
  | { readonly result: 'closed'; readonly session: Session }
  | { readonly result: 'too_late' }
  | { readonly result: 'pending' }
  | { readonly result: 'key_reused' };

/** Cancels a processing session by voiding its debit. */
export async function cancelPayment(
  tools: CancelTools,
  { sessionId }: Pick<Session, 'sessionId'>,
  now: number,
  parts?: CancellationParts,
): Promise<Cancellation> {
  const request = await requestCancellation(tools.database, sessionId, now, parts);
  return request.result === 'requested' ? finishCancellation(tools, request.session, now) : request;
}

export async function finishCancellation(
  { database, processor }: CancelTools,
  session: Session,
  now: number,
): Promise<Cancellation> {
  const { sessionId, practiceId, amountCents, processorAccount, processingAt: authorizedAt, debit } = session;
  // The session was read after the request was written: another request may have finished it.
  if (session.status !== 'processing') return ended(session);
  if (processorAccount === undefined) throw new Fault(`${sessionId} is processing without an account`);
  const order = { sessionId, practiceId, amountCents, processorAccount, authorizedAt, debitId: debit?.debitId };
  const { result } = await processor.voidDebit(order, now);
  logInfo('debit voided', { sessionId, result });
  switch (result) {
    case 'voided': {
      const written = await writeCancellation(database, session, now);
      // The processor's notification about this void may have been handled first.
      return ended(written.session);
    }
    case 'too_late':
      await withdrawCancellation(database, session);
      return { result: 'too_late' };
    case 'unknown':
      // Sets a new due time, so that the sweep retries in two minutes.
      await requestCancellation(database, sessionId, now);
      return { result: 'pending' };
    default:
      return unreachable(result);
  }
}

function ended(session: Session): Cancellation {
  return session.cancellation?.reason === 'requested_by_practice' ? cancelled(session) : { result: 'closed', session };
}

export function cancelled({ sessionId, cancelledAt }: Session): Cancellation {
  if (cancelledAt === undefined) throw new Fault(`${sessionId} was cancelled without a time`);
  return { result: 'cancelled', cancelledAt };
}
