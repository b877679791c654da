import { pick } from '../domain/pick.ts';
import { day, toIso } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { listAttempts, listDeliveries } from '../store/delivery-log.ts';
import type { EndpointKey } from '../store/webhook-endpoints.ts';
import { requireEndpoint, requirePast } from './requirements.ts';

const pageSize = 100;
const defaultPeriod = 14 * day;

export async function getDeliveryLog(
  { database }: { readonly database: Database<'webhookEndpoints' | 'deliveries' | 'attempts'> },
  { practiceId, endpointId, since: requested }: EndpointKey & { readonly since?: number | undefined },
  now: number,
) {
  await requireEndpoint(database, { practiceId, endpointId });
  const since = requested ?? now - defaultPeriod;
  requirePast(since, now);
  const page = await listDeliveries(database, endpointId, { since, limit: pageSize, newestFirst: true });
  const deliveries = await Promise.all(
    page.deliveries.map(async (delivery) => ({
      ...pick(delivery, ['eventId', 'eventType', 'status', 'createdAt', 'deliveredAt', 'nextAttemptAt']),
      attempts: (await listAttempts(database, delivery)).map((attempt) =>
        pick(attempt, [
          'attemptNumber',
          'startedAt',
          'durationMilliseconds',
          'statusCode',
          'error',
          'responseExcerpt',
          'responseTruncated',
        ]),
      ),
    })),
  );
  return { since: toIso(since), more: page.after !== undefined, deliveries };
}
