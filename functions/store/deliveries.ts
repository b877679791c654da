import * as z from 'zod/mini';
import { delivery, leaseDuration, type Attempt, type Delivery, type NextStep } from '../domain/delivery.ts';
import { due, ticketGrace } from '../domain/due.ts';
import type { EventRow } from '../domain/event.ts';
import { day, second, toEpochSeconds, toIso } from '../domain/time.ts';
import type { Database } from './database.ts';
import type { DueRows } from './due-index.ts';
import { allOf, expression, type Expression } from './expressions.ts';
import { get, insert, update } from './rows.ts';
import { transact } from './transact.ts';
import { change, put, type Change } from './writes.ts';

type Deliveries = Database<'deliveries'>;

export const deliveryRetention = 30 * day;

export interface DeliveryKey {
  readonly eventId: string;
  readonly endpointId: string;
}

/** The partition key of a delivery's attempts. */
export function deliveryId({ eventId, endpointId }: DeliveryKey): string {
  return `${eventId}#${endpointId}`;
}

/** When the sweep looks at a pending delivery: some time after its ticket, or at once if it has none. */
export function dueForSweep(key: DeliveryKey, nextAttemptAt: number, byTicket: boolean) {
  return due('delivery', deliveryId(key), byTicket ? nextAttemptAt + ticketGrace : nextAttemptAt);
}

/** Creates an event's delivery to an endpoint unless it exists: pending, or `skipped`, for a replay, if the endpoint is disabled. */
export async function createDelivery(
  database: Deliveries,
  event: Pick<EventRow, 'eventId' | 'practiceId' | 'type'>,
  endpoint: { endpointId: string; enabled: boolean },
  now: number,
): Promise<void> {
  const key = { eventId: event.eventId, endpointId: endpoint.endpointId };
  const row: Delivery = {
    ...key,
    practiceId: event.practiceId,
    eventType: event.type,
    attempts: 0,
    attemptsBefore: 0,
    createdAt: toIso(now),
    ...(endpoint.enabled
      ? { status: 'pending', nextAttemptAt: toIso(now), ...dueForSweep(key, now, true) }
      : { status: 'skipped' }),
  };
  const timeToLive = toEpochSeconds(now + deliveryRetention);
  await insert(database, 'deliveries', { ...row, timeToLive }, 'eventId');
}

export async function getDelivery(database: Deliveries, key: DeliveryKey): Promise<Delivery | undefined> {
  return get(database, 'deliveries', keyOf(key), delivery);
}

/** Changes a delivery if the condition holds; else returns undefined. */
export async function updateDelivery(
  database: Deliveries,
  key: DeliveryKey,
  changes: Change<Delivery>,
): Promise<Delivery | undefined> {
  const { written, row } = await update(database, 'deliveries', keyOf(key), changes, delivery);
  return written ? row : undefined;
}

/** How early a ticket may come, as clocks differ; one that comes much earlier is a duplicate of one that was rescheduled. */
const earliness = 5 * second;

/** Takes the right to make attempt `attemptNumber`, for one minute. Undefined if the ticket is stale or too early, or another worker has it. */
export async function leaseDelivery(
  database: Deliveries,
  key: DeliveryKey,
  attemptNumber: number,
  now: number,
): Promise<Delivery | undefined> {
  return updateDelivery(database, key, {
    set: { leasedUntil: toIso(now + leaseDuration) },
    condition: allOf(
      stillPending(attemptNumber - 1),
      expression`nextAttemptAt <= ${toIso(now + earliness)}`,
      expression`attribute_not_exists(leasedUntil) OR leasedUntil <= ${toIso(now)}`,
    ),
  });
}

const nothingDue = ['leasedUntil', 'nextAttemptAt', 'dueShard', 'dueAt'] as const;

/** Records an attempt and the delivery's next step, both or neither. False if another worker finished the attempt first. */
export async function recordAttempt(
  database: Database<'deliveries' | 'attempts'>,
  leased: Delivery,
  made: Omit<Attempt, 'deliveryId' | 'attemptNumber'>,
  next: NextStep,
  now: number,
): Promise<boolean> {
  const attempts = leased.attempts + 1;
  const attempt: Attempt = { ...made, deliveryId: deliveryId(leased), attemptNumber: attempts };
  const timeToLive = toEpochSeconds(now + deliveryRetention);
  const refused = await transact(database, {
    delivery: change<'deliveries', Delivery>(database, 'deliveries', keyOf(leased), {
      ...(next.status === 'pending'
        ? {
            set: { status: next.status, attempts, ...waiting(leased, next.nextAttemptAt, next.byTicket) },
            remove: ['leasedUntil'],
          }
        : {
            set: { status: next.status, attempts, ...(next.status === 'delivered' && { deliveredAt: toIso(now) }) },
            remove: nothingDue,
          }),
      condition: stillPending(leased.attempts),
    }),
    attempt: put(database, 'attempts', { ...attempt, timeToLive }),
  });
  return refused === undefined;
}

/** Postpones a leased delivery without counting an attempt; a ticket or, without one, the sweep resumes it. False if it has changed. */
export async function rescheduleDelivery(
  database: Deliveries,
  leased: Delivery,
  until: number,
  byTicket: boolean,
): Promise<boolean> {
  const written = await updateDelivery(database, leased, {
    set: waiting(leased, until, byTicket),
    remove: ['leasedUntil'],
    condition: stillPending(leased.attempts),
  });
  return written !== undefined;
}

/** Ends a delivery whose endpoint is disabled or gone; it can be replayed. One that was delivered before it was resent stays delivered. */
export async function skipDelivery(database: Deliveries, leased: Delivery): Promise<void> {
  await updateDelivery(database, leased, {
    set: { status: leased.deliveredAt === undefined ? 'skipped' : 'delivered' },
    remove: nothingDue,
    condition: stillPending(leased.attempts),
  });
}

export const deliveryKey = z.object({ eventId: z.string(), endpointId: z.string() });

export function dueDeliveries(database: Deliveries): DueRows<typeof deliveryKey> {
  return { table: database.tables.deliveries, work: 'delivery', key: deliveryKey };
}

function keyOf({ eventId, endpointId }: DeliveryKey) {
  return { eventId, endpointId };
}

function stillPending(attempts: number): Expression {
  return expression`status = ${'pending'} AND attempts = ${attempts}`;
}

function waiting(key: DeliveryKey, until: number, byTicket: boolean) {
  return { nextAttemptAt: toIso(until), ...dueForSweep(key, until, byTicket) };
}
