import type { Delivery } from '../domain/webhooks/delivery.ts';
import { sessionEventIds } from '../domain/webhooks/event.ts';
import { pick } from '../domain/collections.ts';
import { day, toIso } from '../domain/time.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { getSession } from '../store/sessions/sessions.ts';
import { listAttempts, listDeliveriesOfEndpoint, listDeliveriesOfEvent } from '../store/webhooks/delivery-log.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';
import { requireEndpoint, requirePast } from './requirements.ts';

const pageSize = 100;
const defaultLimit = 100;
/** Per endpoint: filters apply after the read. */
const maximumRead = 10_000;
const defaultPeriod = 14 * day;

interface LogInput {
  readonly practiceId: string;
  readonly endpointId?: string | undefined;
  readonly since?: number | undefined;
  readonly status?: Delivery['status'] | undefined;
  readonly type?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly limit?: number | undefined;
}

interface Found {
  readonly deliveries: readonly Delivery[];
  readonly more: boolean;
}

/** The newest deliveries with every attempt. `more` tells whether there may be others. */
export async function getDeliveryLog({ database }: ReadingTools, input: LogInput, now: number) {
  const { practiceId, endpointId, since: requested, status, type, sessionId, limit = defaultLimit } = input;
  if (endpointId !== undefined) await requireEndpoint(database, { practiceId, endpointId });
  const since = requested ?? now - defaultPeriod;
  requirePast(since, now);
  const isWanted = (delivery: Delivery) =>
    (endpointId === undefined || delivery.endpointId === endpointId) &&
    (status === undefined || delivery.status === status) &&
    (type === undefined || delivery.eventType === type) &&
    delivery.createdAt >= toIso(since);
  const search = { since, limit, isWanted };
  const found = await (sessionId === undefined
    ? ofEndpoints(database, endpointId === undefined ? await idsOf(database, practiceId) : [endpointId], search)
    : ofSession(database, { sessionId, practiceId }, search));
  const newest = found.deliveries.toSorted((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt));
  const deliveries = await Promise.all(
    newest.slice(0, limit).map(async (delivery) => ({
      ...pick(delivery, ['eventId', 'endpointId', 'eventType', 'status', 'createdAt', 'deliveredAt', 'nextAttemptAt']),
      attempts: (await listAttempts(database, delivery)).map((attempt) =>
        pick(attempt, [
          'attemptNumber',
          'startedAt',
          'durationMilliseconds',
          'statusCode',
          'error',
          'redirectsTo',
          'responseExcerpt',
          'responseTruncated',
        ]),
      ),
    })),
  );
  return { since: toIso(since), more: found.more || newest.length > limit, deliveries };
}

interface Search {
  readonly since: number;
  readonly limit: number;
  isWanted(delivery: Delivery): boolean;
}

async function idsOf(database: Database, practiceId: string): Promise<string[]> {
  return (await listWebhookEndpoints(database, practiceId)).map(({ endpointId }) => endpointId);
}

async function ofEndpoints(database: Database, endpointIds: readonly string[], search: Search): Promise<Found> {
  const found = await Promise.all(endpointIds.map(async (endpointId) => ofEndpoint(database, endpointId, search)));
  return { deliveries: found.flatMap(({ deliveries }) => deliveries), more: found.some(({ more }) => more) };
}

async function ofEndpoint(database: Database, endpointId: string, { since, limit, isWanted }: Search): Promise<Found> {
  const deliveries: Delivery[] = [];
  let after: Record<string, unknown> | undefined;
  for (let read = 0; read === 0 || (after && read < maximumRead && deliveries.length < limit); read += pageSize) {
    const page = await listDeliveriesOfEndpoint(database, endpointId, {
      since,
      after,
      limit: pageSize,
      newestFirst: true,
    });
    deliveries.push(...page.deliveries.filter(isWanted));
    after = page.after;
  }
  return { deliveries, more: after !== undefined };
}

async function ofSession(
  database: Database,
  { sessionId, practiceId }: { readonly sessionId: string; readonly practiceId: string },
  { isWanted }: Search,
): Promise<Found> {
  const session = await getSession(database, sessionId);
  const eventIds = session ? sessionEventIds(session) : [];
  const deliveries = (
    await Promise.all(eventIds.map(async (eventId) => listDeliveriesOfEvent(database, eventId, practiceId)))
  ).flat();
  return { deliveries: deliveries.filter(isWanted), more: false };
}
