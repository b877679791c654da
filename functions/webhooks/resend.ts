import { Problem } from '../contract/problem.ts';
import { pagesOf } from '../domain/collections.ts';
import { canBeId, ulid } from '../domain/identifier.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import { day, toIso } from '../domain/time.ts';
import type { Mode } from '../domain/mode.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { WritingTools } from '../store/database.ts';
import type { After } from '../store/rows.ts';
import { getDelivery } from '../store/webhooks/deliveries.ts';
import {
  reopenAudited,
  listDeliveriesOfEndpoint,
  reopenDelivery,
  createTestDelivery,
} from '../store/webhooks/delivery-log.ts';
import { writeAuditEntry } from '../store/team/audit-log.ts';
import { ticketOfDelivery } from './dispatch.ts';
import { isReachable, reachable } from './reachable.ts';
import { endpointEntry, type EndpointOfAuthor, requireEnabled, requirePast } from './requirements.ts';

export async function resendEvent(
  tools: ReplayTools,
  { practiceId, endpointId, author, eventId }: EndpointOfAuthor & { readonly eventId: string },
  now: number,
) {
  const { database, sendDeliveries } = tools;
  await requireEnabled(database, { practiceId, endpointId });
  const found = canBeId(eventId) ? await getDelivery(database, { eventId, endpointId }) : undefined;
  const delivery = found && (await isReachable(database, found)) ? found : undefined;
  if (!delivery)
    throw new Problem(
      'delivery_not_found',
      'This endpoint has no delivery of this event. Check the event id. A very recent event may still be on its way.',
    );
  const entry = endpointEntry(tools, { practiceId, endpointId, author }, 'delivery.resent', now, { eventId });
  if (!(await reopenAudited(database, delivery, now, entry)))
    throw new Problem('delivery_in_progress', 'This event is being sent right now. Try again in a minute.');
  await sendDeliveries([ticketOfDelivery(delivery, delivery.attempts + 1)]);
  return { eventId, endpointId, status: 'pending' };
}

const pageSize = 100;
const maximumReplayed = 10_000;
/** How many one request replays before it times out. The caller sends more requests while there is more. */
export const replaysPerRequest = 1000;
const maximumReplayPeriod = 14 * day;

interface ReplayTools extends WritingTools {
  readonly sendDeliveries: SendTickets;
}

interface Replay extends EndpointOfAuthor {
  readonly since: number;
  readonly limit?: number;
}

/** Sends failed and skipped deliveries again; a replay can be repeated. It starts at once, and the sweep sends the rest. */
export async function replayDeliveries(
  tools: ReplayTools,
  { practiceId, endpointId, author, since: requested, limit = maximumReplayed }: Replay,
  now: number,
): Promise<{ since: string; replayed: number; more: boolean }> {
  const { database } = tools;
  await requireEnabled(database, { practiceId, endpointId });
  requirePast(requested, now);
  const since = Math.max(requested, now - maximumReplayPeriod);
  // Written first: after a crash, some of the many writes below may have happened.
  const details = { since: toIso(since) };
  await writeAuditEntry(
    database,
    endpointEntry(tools, { practiceId, endpointId, author }, 'deliveries.replayed', now, details),
  );
  let replayed = 0;
  const pages = pagesOf((after: After) =>
    listDeliveriesOfEndpoint(database, endpointId, { since, after, limit: pageSize }),
  );
  for await (const { deliveries } of pages) {
    const missed = await reachable(database, practiceId, deliveries.filter(wasMissed));
    const room = limit - replayed;
    replayed += await reopenAll(tools, missed.slice(0, room), now, replayed === 0);
    if (missed.length > room) return { since: toIso(since), replayed, more: true };
  }
  return { since: toIso(since), replayed, more: false };
}

function wasMissed({ deliveredAt, status }: Delivery): boolean {
  return deliveredAt === undefined && (status === 'failed' || status === 'skipped');
}

/** Only the first page gets tickets: more would crowd out other practices. The sweep paces the rest. */
async function reopenAll(
  { database, sendDeliveries }: ReplayTools,
  missed: readonly Delivery[],
  now: number,
  byTicket: boolean,
): Promise<number> {
  const reopened = await Promise.all(
    missed.map(async (delivery) => ((await reopenDelivery(database, delivery, now, byTicket)) ? [delivery] : [])),
  );
  const written = reopened.flat();
  if (byTicket) await sendDeliveries(written.map((delivery) => ticketOfDelivery(delivery, delivery.attempts + 1)));
  return written.length;
}

interface TestTools extends WritingTools {
  readonly mode: Mode;
  readonly sendDeliveries: SendTickets;
}

export async function testEndpoint(
  tools: TestTools,
  { practiceId, endpointId, author }: EndpointOfAuthor,
  now: number,
) {
  const { database, mode, randomBytes, sendDeliveries } = tools;
  await requireEnabled(database, { practiceId, endpointId });
  const eventId = `evt_${ulid(now, randomBytes)}`;
  const test = { eventId, practiceId, endpointId, livemode: mode === 'live' };
  const entry = endpointEntry(tools, { practiceId, endpointId, author }, 'webhook_endpoint.tested', now, { eventId });
  await createTestDelivery(database, test, now, entry);
  await sendDeliveries([ticketOfDelivery(test, 1)]);
  return { eventId, endpointId, status: 'pending' };
}
