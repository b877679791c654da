import type { Reconciliation } from '../domain/payments/reconciliation.ts';
import { logInfo } from '../log.ts';
import { saveReconciliation } from '../store/payments/reconciliations.ts';
import { catchUp, dailyProgress } from './catch-up.ts';
import { lookUps, type BookLimits, type BookTools } from './read-books.ts';

/** Once a day, looks up the debits of an account's new disputes. */
export async function readDisputes(
  { database, clock, books, sendSettlements }: Pick<BookTools, 'database' | 'clock' | 'books' | 'sendSettlements'>,
  { account, practiceId, disputes }: Reconciliation,
  { until, deadline, ticketInterval }: BookLimits,
): Promise<void> {
  const progress = dailyProgress(disputes, until);
  if (!progress) return;
  let count = 0;
  await catchUp(
    progress,
    { until, clock, deadline },
    async (page) => {
      const { sessionIds, after } = await books.listDisputes(account, page);
      await sendSettlements(lookUps(sessionIds, count, ticketInterval));
      count += sessionIds.length;
      return after;
    },
    (left) => saveReconciliation(database, { account, practiceId, disputes: left }),
  );
  logInfo('disputes read', { account, disputes: count });
}
