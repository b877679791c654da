import * as z from 'zod/mini';
import type { DeliveryTicket } from '../../contract/webhooks/tickets.ts';
import {
  delivery,
  fitsInRow,
  leaseDuration,
  type Attempt,
  type Delivery,
  type MadeAttempt,
  type NextAttempt,
  type NextStep,
} from '../../domain/webhooks/delivery.ts';
import { due, ticketGrace } from '../../domain/due.ts';
import type { EventRow } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { unreachable } from '../../domain/fault.ts';
import { day, second, toEpochSeconds, toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import type { DueRows } from '../due-index.ts';
import { allOf, expression, type Expression } from '../expressions.ts';
import { get, insert, update } from '../rows.ts';
import { transact } from '../transact.ts';
import { change, put, type Change } from '../writes.ts';

const deliveryRetention = 30 * day;

export interface DeliveryKey {
  readonly eventId: string;
  readonly endpointId: string;
}

export function deliveryId({ eventId, endpointId }: DeliveryKey): string {
  return `${eventId}#${endpointId}`;
}

export function attemptAt(key: DeliveryKey, { nextAttemptAt, byTicket }: NextAttempt) {
  const dueAt = byTicket ? nextAttemptAt + ticketGrace : nextAttemptAt;
  return { nextAttemptAt: toIso(nextAttemptAt), ...due('delivery', deliveryId(key), dueAt) };
}

/** Returns whether the delivery is new. A repeated dispatch finds the row, which has a due time of its own. */
export async function createDelivery(
  database: Database,
  event: Pick<EventRow, 'eventId' | 'practiceId' | 'movedPracticeId' | 'type'>,
  endpoint: Pick<WebhookEndpoint, 'practiceId' | 'endpointId' | 'status'>,
  now: number,
): Promise<boolean> {
  const { eventId, movedPracticeId, type: eventType } = event;
  const { practiceId, endpointId } = endpoint;
  const key = { eventId, endpointId };
  const eventPracticeId = event.practiceId === practiceId ? undefined : event.practiceId;
  const state =
    endpoint.status === 'enabled'
      ? { status: 'pending' as const, ...attemptAt(key, { nextAttemptAt: now, byTicket: true }) }
      : { status: 'skipped' as const };
  const row = newDelivery({ ...key, practiceId, eventPracticeId, movedPracticeId, eventType, ...state }, now);
  return insert(database, 'deliveries', row, 'eventId', leftByOlderVersion);
}

/** Older versions wrote the row with its first lease, and left the due time to the event. */
const leftByOlderVersion = expression`status = ${'pending'} AND attribute_not_exists(dueShard)`;

export function newDelivery(given: Omit<Delivery, 'attempts' | 'attemptsBefore' | 'createdAt'>, now: number) {
  const timeToLive = toEpochSeconds(now + deliveryRetention);
  return { ...given, attempts: 0, attemptsBefore: 0, createdAt: toIso(now), timeToLive };
}

export async function getDelivery(database: Database, key: DeliveryKey): Promise<Delivery | undefined> {
  return get(database, 'deliveries', keyOf(key), delivery);
}

export async function updateDelivery(database: Database, key: DeliveryKey, changes: Change<Delivery>) {
  const { written, row } = await update(database, 'deliveries', keyOf(key), changes, delivery);
  return written ? row : undefined;
}

/** Clocks differ by less than this. A ticket that arrives earlier is a stale duplicate. */
const earliness = 5 * second;

/** Undefined if the ticket is stale or early, or the delivery is leased. */
export async function leaseDelivery(database: Database, ticket: DeliveryTicket, now: number) {
  return updateUnleased(database, ticket, { leasedUntil: toIso(now + leaseDuration) }, now);
}

/** Reschedules a delivery that nobody has leased. False if the ticket is stale or early, or the delivery is leased. */
export async function postponeDelivery(database: Database, ticket: DeliveryTicket, next: NextAttempt, now: number) {
  return (await updateUnleased(database, ticket, attemptAt(ticket, next), now)) !== undefined;
}

async function updateUnleased(database: Database, ticket: DeliveryTicket, set: Partial<Delivery>, now: number) {
  return updateDelivery(database, ticket, {
    set,
    condition: allOf(
      stillPending(ticket.attemptNumber - 1),
      expression`nextAttemptAt <= ${toIso(now + earliness)}`,
      expression`attribute_not_exists(leasedUntil) OR leasedUntil <= ${toIso(now)}`,
    ),
  });
}

const nothingDue = ['leasedUntil', 'nextAttemptAt', 'dueShard', 'dueAt'] as const;

export async function recordAttempt(
  database: Database,
  leased: Delivery,
  made: MadeAttempt,
  next: NextStep,
  now: number,
): Promise<boolean> {
  const changes = { ...attempted(leased, next, now), condition: stillPending(leased.attempts) };
  if (fitsInRow(leased, made, next)) {
    const withAttempt = { ...changes, set: { ...changes.set, firstAttempt: made } };
    return (await updateDelivery(database, leased, withAttempt)) !== undefined;
  }
  const attempt: Attempt = { ...made, deliveryId: deliveryId(leased), attemptNumber: leased.attempts + 1 };
  const timeToLive = toEpochSeconds(now + deliveryRetention);
  const refused = await transact(database, {
    delivery: change(database, 'deliveries', keyOf(leased), changes),
    attempt: put(database, 'attempts', { ...attempt, timeToLive }),
  });
  return refused === undefined;
}

export async function rescheduleDelivery(database: Database, leased: Delivery, next: NextAttempt): Promise<boolean> {
  const written = await updateDelivery(database, leased, {
    set: attemptAt(leased, next),
    remove: ['leasedUntil'],
    condition: stillPending(leased.attempts),
  });
  return written !== undefined;
}

export async function skipDelivery(database: Database, leased: Delivery): Promise<void> {
  await updateDelivery(database, leased, {
    set: { status: leased.deliveredAt === undefined ? 'skipped' : 'delivered' },
    remove: nothingDue,
    condition: stillPending(leased.attempts),
  });
}

export const deliveryKey = z.object({ eventId: z.string(), endpointId: z.string() });

export function dueDeliveries(database: Database): DueRows<typeof deliveryKey> {
  return { database, table: 'deliveries', duty: 'delivery', key: deliveryKey };
}

function keyOf({ eventId, endpointId }: DeliveryKey) {
  return { eventId, endpointId };
}

function stillPending(attempts: number): Expression {
  return expression`status = ${'pending'} AND attempts = ${attempts}`;
}

function attempted(leased: Delivery, next: NextStep, now: number): Change<Delivery> {
  const set = { status: next.status, attempts: leased.attempts + 1 };
  switch (next.status) {
    case 'pending':
      return { set: { ...set, ...attemptAt(leased, next) }, remove: ['leasedUntil'] };
    case 'delivered':
      return { set: { ...set, deliveredAt: toIso(now) }, remove: nothingDue };
    case 'failed':
      return { set, remove: nothingDue };
    default:
      return unreachable(next);
  }
}
