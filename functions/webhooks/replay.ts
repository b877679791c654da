import { day, toIso } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { listDeliveries, reopenDelivery } from '../store/delivery-log.ts';
import type { EndpointKey } from '../store/webhook-endpoints.ts';
import { requireEnabled, requirePast } from './requirements.ts';

const pageSize = 100;
const maximumReplayed = 10_000;
const maximumReplayPeriod = 14 * day;

interface Replay extends EndpointKey {
  readonly since: number;
  readonly limit?: number;
}

/** Skips what succeeded or is pending, so a replay can be repeated. */
export async function replayDeliveries(
  { database }: { readonly database: Database<'webhookEndpoints' | 'deliveries'> },
  { practiceId, endpointId, since: requested, limit = maximumReplayed }: Replay,
  now: number,
): Promise<{ since: string; replayed: number; more: boolean }> {
  await requireEnabled(database, { practiceId, endpointId });
  requirePast(requested, now);
  const since = Math.max(requested, now - maximumReplayPeriod);
  let replayed = 0;
  let after: Record<string, unknown> | undefined;
  do {
    const page = await listDeliveries(database, endpointId, { since, after, limit: pageSize });
    for (const delivery of page.deliveries) {
      if (delivery.deliveredAt !== undefined || (delivery.status !== 'failed' && delivery.status !== 'skipped'))
        continue;
      if (replayed === limit) return { since: toIso(since), replayed, more: true };
      if (await reopenDelivery(database, delivery, now)) replayed += 1;
    }
    after = page.after;
  } while (after);
  return { since: toIso(since), replayed, more: false };
}
