import { Problem } from '../../contract/problems.ts';
import { logFault, logInfo } from '../../log.ts';
import type { IgnoredNotification } from '../../contract/metrics.ts';
import type { SendTickets } from '../../messages/queues.ts';
import type { Database } from '../../store/database.ts';
import { findSessionOfDebit, getProcessorDebit } from '../../store/processor-debits.ts';
import { insertProcessorEvent } from '../../store/processor-events.ts';
import { readEvent } from './event.ts';
import type { CheckSignature, SignedBody } from './event-signature.ts';

export interface ReceiveTools {
  readonly database: Database<'processorDebits' | 'processorEvents'>;
  readonly checkSignature: CheckSignature;
  readonly sendSettlements: SendTickets;
}

/** Stores what may change a session. Settling then looks the debit up, so neither order nor content matters. */
export async function receiveStripeEvent(
  { database, checkSignature, sendSettlements }: ReceiveTools,
  signed: SignedBody,
  now: number,
): Promise<void> {
  if (!(await checkSignature(signed, now))) {
    ignore('signature');
    throw new Problem('signature_invalid', 'Sign the raw body with a signing secret of this stage.');
  }
  const event = readEvent(signed.body);
  if (!event?.debit) return ignore('type', event);
  const { eventId: processorEventId, type, account, debit } = event;
  const sessionId = debit.sessionId ?? (await findSessionOfDebit(database, debit.debitId));
  const entered = sessionId === undefined ? undefined : (await getProcessorDebit(database, sessionId))?.debit;
  if (sessionId === undefined || entered?.debitId !== debit.debitId) return ignore('debit', event);
  // Whoever owns another account could put any id into its metadata.
  if (account !== (entered.chargeType === 'direct' ? entered.account : undefined)) return ignore('account', event);
  if (!(await insertProcessorEvent(database, { sessionId, processorEventId, type }, now)))
    return ignore('duplicate', event);
  logInfo('notification stored', { sessionId, processorEventId, type });
  try {
    await sendSettlements([{ body: { sessionId, processorEventId } }]);
  } catch (error) {
    // It is stored: the sweep sends the ticket again.
    logFault('ticket not sent', error, { sessionId, processorEventId });
  }
}

function ignore(reason: IgnoredNotification, event?: { readonly eventId: string; readonly type: string }): void {
  logInfo('notification ignored', { reason, processorEventId: event?.eventId, type: event?.type }, [
    { metric: 'IgnoredNotifications', value: 1, by: reason },
  ]);
}
