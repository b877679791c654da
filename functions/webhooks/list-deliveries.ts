import * as z from 'zod/mini';
import type { practiceDeliveryRoutes } from '../contract/webhooks/endpoint-deliveries.ts';
import type { deliveryRoutes } from '../contract/webhooks/dashboard-deliveries.ts';
import { Problem } from '../contract/problem.ts';
import type { DeliverySummary } from '../contract/webhooks/dashboard-deliveries.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import { cursorAtPosition, positionOfCursor } from '../domain/cursor.ts';
import { eventPosition, sessionEventIds, sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { canBeId } from '../domain/identifier.ts';
import { isoTime } from '../domain/time.ts';
import { isEndpointId } from '../domain/webhooks/webhook-endpoint.ts';
import type { ReadingTools } from '../store/database.ts';
import { invalidCursor } from '../sessions/list.ts';
import { listDeliveriesOfEndpoint, listDeliveriesOfEvent, listAttempts } from '../store/webhooks/delivery-log.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';
import { readMemberships } from '../store/practices/platforms.ts';
import { getDelivery, type DeliveryKey } from '../store/webhooks/deliveries.ts';
import { getEvent } from '../store/webhooks/events.ts';
import { findReachableSession, maySee, reachable } from './reachable.ts';
import { requireEndpoint } from './requirements.ts';

interface ListInput extends z.output<typeof deliveryRoutes.listDeliveries.query> {
  readonly practiceId: string;
}

interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly nextCursor: string | null;
}

const pageSize = 50;

/** Newest first. Filters apply after the read, so a page can be short: only a null cursor ends the list. */
export async function listDeliveries(tools: ReadingTools, input: ListInput) {
  const { status } = input;
  const { deliveries, nextCursor } = await (input.sessionId === undefined
    ? ofEndpoints(tools, input)
    : ofSession(tools, input, input.sessionId));
  const wanted = deliveries.filter((each) => status === undefined || each.status === status);
  return { deliveries: await summaries(tools, input.practiceId, wanted), nextCursor };
}

async function ofSession(
  { database }: ReadingTools,
  { practiceId, endpointId }: ListInput,
  sessionId: string,
): Promise<DeliveryPage> {
  const session = await findReachableSession(database, { ownerId: practiceId, sessionId });
  const eventIds = sessionEventIds(session);
  const deliveries = (
    await Promise.all(eventIds.map((eventId) => listDeliveriesOfEvent(database, eventId, practiceId)))
  ).flat();
  return {
    deliveries: deliveries.reverse().filter((each) => endpointId === undefined || each.endpointId === endpointId),
    nextCursor: null,
  };
}

/** Merges the endpoints' lists. The cursor holds the last delivery of each endpoint so far. */
async function ofEndpoints(
  { database }: ReadingTools,
  { practiceId, endpointId, cursor }: ListInput,
): Promise<DeliveryPage> {
  const endpoints =
    endpointId === undefined
      ? await listWebhookEndpoints(database, practiceId)
      : [await requireEndpoint(database, { practiceId, endpointId })];
  const positions = new Map(cursor === undefined ? [] : readCursor(cursor));
  const pages = await Promise.all(
    endpoints.map(async (each) => {
      const { endpointId: id } = each;
      const position = positions.get(id);
      const after = position && { ...position, endpointId: id };
      return listDeliveriesOfEndpoint(database, id, { since: 0, newestFirst: true, limit: pageSize + 1, after });
    }),
  );
  // The sort is stable, so an endpoint's deliveries stay in order.
  const merged = pages
    .flatMap((page) => page.deliveries)
    .sort((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt));
  const deliveries = merged.slice(0, pageSize);
  for (const { endpointId: shown, createdAt, eventId } of deliveries) positions.set(shown, { createdAt, eventId });
  return { deliveries, nextCursor: merged.length > pageSize ? writeCursor(positions) : null };
}

interface PageInput extends z.output<typeof practiceDeliveryRoutes.listWebhookDeliveries.query> {
  readonly practiceId: string;
  readonly endpointId: string;
}

/** One page of an endpoint's deliveries, newest first. The filter can shorten it: only a null cursor ends the list. */
export async function listEndpointDeliveries(
  { database }: ReadingTools,
  { practiceId, endpointId, status, limit, cursor }: PageInput,
): Promise<DeliveryPage> {
  await requireEndpoint(database, { practiceId, endpointId });
  const parts = [endpointId, status ?? null];
  const position = cursor === undefined ? undefined : positionOfCursor(cursor, parts, 'evt_');
  if (cursor !== undefined && position === undefined) throw invalidCursor();
  const [createdAt, eventId] = position?.split('#') ?? [];
  const after = position === undefined ? undefined : { endpointId, createdAt, eventId };
  const page = await listDeliveriesOfEndpoint(database, endpointId, { since: 0, newestFirst: true, limit, after });
  const wanted = page.deliveries.filter((each) => status === undefined || each.status === status);
  const last = z.parse(z.optional(deliveryPosition), page.after);
  return {
    deliveries: await reachable(database, practiceId, wanted),
    nextCursor: last ? cursorAtPosition(eventPosition(last), parts, 'evt_') : null,
  };
}

const deliveryPosition = z.object({ createdAt: isoTime, eventId: z.string().check(z.refine(canBeId)) });
type DeliveryPosition = z.infer<typeof deliveryPosition>;
const cursorContent = z.array(z.tuple([z.string(), deliveryPosition]));

function writeCursor(positions: ReadonlyMap<string, DeliveryPosition>): string {
  return Buffer.from(JSON.stringify([...positions])).toString('base64url');
}

function readCursor(cursor: string): [string, DeliveryPosition][] {
  try {
    return z.parse(cursorContent, JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new Problem('invalid_cursor', 'Start without a cursor.');
  }
}

/** A delivery with its body and every attempt. Throws a Problem if the practice has no such delivery. */
export async function getDeliveryDetail(
  tools: ReadingTools,
  { practiceId, eventId, endpointId }: DeliveryKey & { readonly practiceId: string },
) {
  const { database } = tools;
  const isKey = canBeId(eventId) && isEndpointId(endpointId);
  const found = isKey ? await getDelivery(database, { eventId, endpointId }) : undefined;
  const [delivery] = found?.practiceId === practiceId ? await summaries(tools, practiceId, [found]) : [];
  if (!delivery)
    throw new Problem('delivery_not_found', 'This practice has no such delivery. Deliveries are kept for 30 days.');
  const [event, attempts] = await Promise.all([getEvent(database, eventId), listAttempts(database, delivery)]);
  return { delivery, body: event?.body, attempts };
}

/** Lists those that the owner may see, with the payment and, for a platform, the name of the practice that each is about. */
async function summaries(
  { database }: ReadingTools,
  ownerId: string,
  deliveries: readonly Delivery[],
): Promise<(Delivery & DeliverySummary)[]> {
  const practiceOf = ({ movedPracticeId, eventPracticeId }: Delivery) => movedPracticeId ?? eventPracticeId;
  const practices = await readMemberships(
    database,
    deliveries.flatMap((each) => practiceOf(each) ?? []),
  );
  const shown = deliveries.filter((each) => maySee(ownerId, each, practices));
  return shown.map((each) => {
    const practice = practices.get(practiceOf(each) ?? '');
    const practiceName = practice?.platformId === ownerId ? practice.name : undefined;
    return { ...each, sessionId: sessionIdOfEvent(each.eventId), practiceName };
  });
}
