import { logInfo } from '../log.ts';
import type { Session } from '../domain/session.ts';
import { requestCancellation, withdrawCancellation } from '../store/sessions.ts';
import { cancelSession } from '../store/transitions.ts';
import type { DebitVoider } from '../processors/processor.ts';
import type { Database } from '../store/database.ts';
import { Fault, unreachable } from '../domain/fault.ts';

export interface CancellationTools {
  readonly database: Database<'sessions' | 'events' | 'invoiceClaims'>;
  readonly processor: DebitVoider;
}

/** What a request to cancel came to: done, impossible because of the session's state, too late at the bank, or not yet known. */
export type Cancellation =
  | { readonly result: 'cancelled'; readonly cancelledAt: string }
  | { readonly result: 'closed'; readonly session: Session }
  | { readonly result: 'too_late' }
  | { readonly result: 'pending' };

/** Cancels a pending session at once, and one that is being paid by way of the processor's void. */
export async function cancelPayment(session: Session, tools: CancellationTools, now: number): Promise<Cancellation> {
  switch (session.status) {
    case 'pending': {
      const outcome = await cancelSession(tools.database, session, now);
      if (outcome.result === 'written') return cancelled(outcome.session);
      // Only the patient's authorization can have come first; any other change ended the session.
      return outcome.result === 'changed' && outcome.session.status !== 'pending'
        ? cancelPayment(outcome.session, tools, now)
        : { result: 'pending' };
    }
    case 'processing': {
      const requested = await requestCancellation(tools.database, session.sessionId, now);
      return requested.written
        ? finishCancellation(requested.session, tools, now)
        : { result: 'closed', session: requested.session };
    }
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return { result: 'closed', session };
    default:
      return unreachable(session.status);
  }
}

/** Voids the debit of a session whose cancellation was requested, and writes what came of it. The sweep calls it again while that is unknown. */
export async function finishCancellation(
  session: Session,
  { database, processor }: CancellationTools,
  now: number,
): Promise<Cancellation> {
  const { sessionId, amountCents, processorAccount } = session;
  if (processorAccount === undefined) throw new Fault(`${sessionId} is processing without an account`);
  const voiding = await processor.voidDebit({ sessionId, amountCents, processorAccount }, now);
  logInfo('debit voided', { sessionId, result: voiding });
  switch (voiding) {
    case 'voided': {
      const outcome = await cancelSession(database, session, now);
      if (outcome.result === 'written') return cancelled(outcome.session);
      return outcome.result === 'changed' ? { result: 'closed', session: outcome.session } : { result: 'pending' };
    }
    case 'too_late':
      await withdrawCancellation(database, session);
      return { result: 'too_late' };
    case 'unknown':
      // Due anew: it is insisted on every two minutes, however long that takes, as the debit may leave meanwhile.
      await requestCancellation(database, sessionId, now);
      return { result: 'pending' };
    default:
      return unreachable(voiding);
  }
}

function cancelled({ sessionId, cancelledAt }: Session): Cancellation {
  if (cancelledAt === undefined) throw new Fault(`${sessionId} was cancelled without a time`);
  return { result: 'cancelled', cancelledAt };
}
