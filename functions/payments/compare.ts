import { maximumTicketDelay } from '../domain/webhooks/retry-schedule.ts';
import { logError } from '../log.ts';
import type { SendTickets } from '../messages/queues.ts';
import { getExistingSession } from '../store/sessions/sessions.ts';
import { settlePayment, type SettleTools } from './settle.ts';

interface CompareTools extends SettleTools {
  readonly sendSettlements: SendTickets;
}

interface Comparison {
  readonly sessionId: string;
  readonly comparison: 'first' | 'last';
}

/**
 * Compares a session with its debit at the processor. The first comparison leaves an outcome alone, because its
 * notification may be on its way. A change that the last comparison makes is a disagreement that nothing reported.
 */
export async function comparePayment(
  tools: CompareTools,
  { sessionId, comparison }: Comparison,
  now: number,
): Promise<'agreed' | 'undecided' | 'disagreed' | 'lost'> {
  if (comparison === 'last') {
    const { changed, status, state } = await settlePayment(tools, { sessionId }, now);
    if (changed) logError('payment disagreed', { sessionId, status, state }, [{ metric: 'Disagreements', value: 1 }]);
    return changed ? 'disagreed' : 'agreed';
  }
  const session = await getExistingSession(tools.database, sessionId);
  if (session.status !== 'processing') return 'agreed';
  const debit = await tools.processor.findDebit(sessionId, now);
  if (!debit && session.debit) {
    // A restored table may lack the row. Nothing else would report that the debit failed.
    const { debitId } = session.debit;
    logError('debit without a row', { sessionId, debitId }, [{ metric: 'UnknownDebits', value: 1 }]);
    return 'lost';
  }
  if (!debit || debit.state.state === 'pending') return 'agreed';
  await tools.sendSettlements([{ body: { sessionId, comparison: 'last' }, delay: maximumTicketDelay }]);
  return 'undecided';
}
