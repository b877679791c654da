import type { AuditEntry } from '../../domain/team/audit-entry.ts';
import { attempt, delivery, type Attempt, type Delivery } from '../../domain/webhooks/delivery.ts';
import { testEventType, type TestEvent } from '../../domain/webhooks/event.ts';
import { Fault } from '../../domain/fault.ts';
import { toIso } from '../../domain/time.ts';
import { auditPart, updateAudited } from '../team/audit-log.ts';
import type { Database } from '../database.ts';
import { attemptAt, deliveryId, deliveryKey, getDelivery, newDelivery, updateDelivery } from './deliveries.ts';
import { putTestEvent } from './events.ts';
import { allOf, expression } from '../expressions.ts';
import { queryAll, queryPage, type After } from '../rows.ts';
import { transact } from '../transact.ts';
import { putNew, type Change } from '../writes.ts';

export async function createTestDelivery(
  database: Database,
  test: TestEvent & { readonly endpointId: string },
  now: number,
  entry: AuditEntry,
): Promise<void> {
  const { eventId, practiceId, endpointId } = test;
  const due = attemptAt(test, { nextAttemptAt: now, byTicket: false });
  const row = newDelivery(
    { eventId, endpointId, practiceId, eventType: testEventType, status: 'pending', ...due },
    now,
  );
  const refused = await transact(database, {
    event: putTestEvent(database, test, now),
    delivery: putNew(database, 'deliveries', row, 'eventId'),
    audit: auditPart(database, entry),
  });
  if (refused) throw new Fault('a new event id was already taken');
}

/** With `byTicket`, the caller sends a ticket and the sweep waits for it. */
export async function reopenDelivery(
  database: Database,
  current: Delivery,
  now: number,
  byTicket = false,
): Promise<boolean> {
  return (await updateDelivery(database, current, reopened(current, now, byTicket))) !== undefined;
}

export async function reopenAudited(
  database: Database,
  current: Delivery,
  now: number,
  entry: AuditEntry,
): Promise<boolean> {
  const { eventId, endpointId } = current;
  const change = reopened(current, now, false);
  const audit = auditPart(database, entry);
  return (await updateAudited(database, 'deliveries', { eventId, endpointId }, change, delivery, audit)).written;
}

function reopened(current: Delivery, now: number, byTicket: boolean): Change<Delivery> {
  const { status, attempts, attemptsBefore } = current;
  return {
    set: {
      status: 'pending',
      attemptsBefore: status === 'pending' ? attemptsBefore : attempts,
      ...attemptAt(current, { nextAttemptAt: now, byTicket }),
    },
    remove: ['leasedUntil'],
    condition: allOf(
      expression`status = ${status} AND attempts = ${attempts}`,
      expression`attribute_not_exists(leasedUntil) OR leasedUntil <= ${toIso(now)}`,
    ),
  };
}

export async function listDeliveriesOfEndpoint(
  database: Database,
  endpointId: string,
  { since, ...page }: { since: number; after?: After; limit: number; newestFirst?: boolean },
): Promise<{ deliveries: Delivery[]; after: After }> {
  const key = expression`endpointId = ${endpointId} AND createdAt >= ${toIso(since)}`;
  const { rows, after } = await queryPage(database, 'deliveries', { index: 'byEndpoint', key, ...page }, deliveryKey);
  const deliveries = await Promise.all(rows.map((row) => getDelivery(database, row)));
  return { deliveries: deliveries.flatMap((row) => row ?? []), after };
}

/** The event's deliveries to endpoints of this practice or platform. */
export async function listDeliveriesOfEvent(database: Database, eventId: string, ownerId: string): Promise<Delivery[]> {
  const deliveries = await queryAll(database, 'deliveries', { key: expression`eventId = ${eventId}` }, delivery);
  return deliveries.filter(({ practiceId }) => practiceId === ownerId);
}

/** The attempts that `made` counts, without any that were recorded since it was read. */
export async function listAttempts(database: Database, made: Delivery): Promise<Attempt[]> {
  const id = deliveryId(made);
  const first = made.firstAttempt && { ...made.firstAttempt, deliveryId: id, attemptNumber: 1 };
  if (first && made.attempts === 1) return [first];
  const key = expression`deliveryId = ${id} AND attemptNumber <= ${made.attempts}`;
  const rows = await queryAll(database, 'attempts', { key }, attempt);
  return first ? [first, ...rows] : rows;
}
