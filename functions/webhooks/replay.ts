import { day } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { listDeliveries, reopenDelivery } from '../store/delivery-log.ts';

const pageSize = 100;

/** The most that one replay sends anew, and how far back it reaches, in milliseconds. */
export const mostReplayed = 10_000;
export const longestReplay = 14 * day;

/**
 * Sends anew what an endpoint has missed since `since`: its failed and skipped deliveries, oldest first. What was delivered at any time or is
 * still being tried is left alone, so that a replay can be repeated. `more` says whether the limit cut it short.
 */
export async function replayDeliveries(
  database: Database<'deliveries'>,
  endpointId: string,
  since: number,
  now: number,
  limit = mostReplayed,
): Promise<{ replayed: number; more: boolean }> {
  let replayed = 0;
  let after: Record<string, unknown> | undefined;
  do {
    const page = await listDeliveries(database, endpointId, {
      since: Math.max(since, now - longestReplay),
      after,
      limit: pageSize,
    });
    for (const delivery of page.deliveries) {
      if (delivery.deliveredAt !== undefined || (delivery.status !== 'failed' && delivery.status !== 'skipped'))
        continue;
      if (replayed === limit) return { replayed, more: true };
      if (await reopenDelivery(database, delivery, now)) replayed += 1;
    }
    after = page.after;
  } while (after);
  return { replayed, more: false };
}
