import {
  circuitPause,
  maximumInFlight,
  noResponsesBeforeOpening,
  respondingSince,
  serverHealth,
} from '../../domain/webhooks/endpoint-health.ts';
import type { AttemptOutcome, Delivery } from '../../domain/webhooks/delivery.ts';
import { toIso } from '../../domain/time.ts';
import { webhookEndpoint, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../database.ts';
import { allOf, expression } from '../expressions.ts';
import { update, type Updated } from '../rows.ts';
import { keyOf, updateEndpointRow, type EndpointKey } from './webhook-endpoints.ts';

/** What a batch already knows when it reserves another slot. */
export interface Held {
  readonly slot?: string | undefined;
  /** When the endpoint last answered the batch. */
  readonly answeredAt?: number | undefined;
}

export async function reserveSlot(
  database: Database,
  key: EndpointKey,
  slot: string,
  now: number,
  { slot: held, answeredAt }: Held = {},
): Promise<Updated<WebhookEndpoint>> {
  const answers = expression`answeredAt >= ${respondingSince(now)}`;
  const isOpen = held === undefined ? answers : expression`(${answers} OR contains(inFlight, ${held}))`;
  const condition = allOf(
    expression`status = ${'enabled'} AND attribute_not_exists(circuitOpenUntil)`,
    expression`attribute_not_exists(inFlight) OR size(inFlight) < ${maximumInFlight} AND ${isOpen}`,
  );
  const set = { answeredAt: answeredAt === undefined ? undefined : toIso(answeredAt) };
  const reservation = { set, add: { inFlight: new Set([slot]) }, condition };
  return update(database, 'webhookEndpoints', keyOf(key), reservation, webhookEndpoint);
}

/** Reserves a slot for the only request that an open circuit allows, and counts it as unanswered until it is answered. */
export async function reserveProbe(database: Database, endpoint: WebhookEndpoint, slot: string, now: number) {
  const { circuitOpenUntil = '', consecutiveNoResponses = noResponsesBeforeOpening } = endpoint;
  const noResponses = consecutiveNoResponses + 1;
  return updateEndpointRow(database, endpoint, {
    set: { circuitOpenUntil: toIso(now + circuitPause(noResponses)), consecutiveNoResponses: noResponses },
    add: { inFlight: new Set([slot]) },
    condition: expression`status = ${'enabled'} AND circuitOpenUntil = ${circuitOpenUntil}`,
  });
}

/** `answeredAt` is when the endpoint last answered, if it did. */
export async function freeSlots(
  database: Database,
  endpoint: EndpointKey,
  slots: readonly string[],
  answeredAt?: number,
): Promise<void> {
  await updateEndpointRow(database, endpoint, {
    set: { answeredAt: answeredAt === undefined ? undefined : toIso(answeredAt) },
    delete: { inFlight: new Set(slots) },
  });
}

const outage = serverHealth.filter((name) => name !== 'ownerNotifiedAt');

/** Writes nothing and returns undefined if the endpoint was disabled, moved or deleted. Keeps `ownerNotifiedAt`. */
export async function recordSuccess(database: Database, endpoint: WebhookEndpoint, now: number) {
  return updateEndpointRow(database, endpoint, {
    set: { firstDeliveredAt: expression`if_not_exists(firstDeliveredAt, ${toIso(now)})` },
    remove: [...outage, 'missedSince'],
    condition: expression`status = ${'enabled'} AND url = ${endpoint.url}`,
  });
}

interface Failure {
  readonly lastFailure: AttemptOutcome;
  readonly noResponse: boolean;
  readonly deliveryCreatedAt: string;
}

/** Writes nothing and returns undefined if the endpoint was deleted or moved. */
export async function recordFailure(
  database: Database,
  endpoint: WebhookEndpoint,
  { lastFailure, noResponse, deliveryCreatedAt }: Failure,
  now: number,
): Promise<WebhookEndpoint | undefined> {
  const isSameServer = expression`url = ${endpoint.url}`;
  const failed = {
    set: {
      failingSince: expression`if_not_exists(failingSince, ${toIso(now)})`,
      missedSince: expression`if_not_exists(missedSince, ${deliveryCreatedAt})`,
      lastFailedAt: toIso(now),
      lastFailure,
    },
    add: { failedAttempts: 1 },
    condition: isSameServer,
  };
  if (!noResponse)
    return updateEndpointRow(database, endpoint, { ...failed, remove: ['consecutiveNoResponses', 'circuitOpenUntil'] });
  const counted = await updateEndpointRow(database, endpoint, {
    ...failed,
    add: { failedAttempts: 1, consecutiveNoResponses: 1 },
    condition: allOf(isSameServer, circuitMayOpen),
  });
  const row = counted ?? (await updateEndpointRow(database, endpoint, failed));
  if (!row || row.circuitOpenUntil !== undefined || (row.consecutiveNoResponses ?? 0) < noResponsesBeforeOpening)
    return row;
  const opened = await updateEndpointRow(database, endpoint, {
    set: { circuitOpenUntil: toIso(now + circuitPause(noResponsesBeforeOpening)) },
    condition: expression`attribute_exists(consecutiveNoResponses)`,
  });
  return opened ?? row;
}

/** Only probes count beyond this: requests that were in flight when the circuit opened must not lengthen the next pause. */
const circuitMayOpen = expression`attribute_not_exists(consecutiveNoResponses) OR consecutiveNoResponses < ${noResponsesBeforeOpening}`;

/**
 * Does nothing if the delivery had arrived before and was only resent. Call it before the delivery ends: one that has ended
 * gets no more tickets, so nothing would repeat it.
 */
export async function recordMissed(
  database: Database,
  missed: EndpointKey & Pick<Delivery, 'createdAt' | 'deliveredAt'>,
): Promise<void> {
  const { createdAt, deliveredAt } = missed;
  if (deliveredAt !== undefined) return;
  await updateEndpointRow(database, missed, {
    set: { missedSince: createdAt },
    condition: allOf(
      expression`attribute_exists(endpointId)`,
      expression`attribute_not_exists(missedSince) OR missedSince > ${createdAt}`,
    ),
  });
}

export async function recordNotified(database: Database, endpoint: WebhookEndpoint, now: number): Promise<void> {
  await updateEndpointRow(database, endpoint, {
    set: { ownerNotifiedAt: toIso(now) },
    condition: expression`attribute_exists(failingSince)`,
  });
}

export async function forgetNotified(database: Database, { ownerNotifiedAt = '', ...endpoint }: WebhookEndpoint) {
  await updateEndpointRow(database, endpoint, {
    remove: ['ownerNotifiedAt'],
    condition: expression`ownerNotifiedAt = ${ownerNotifiedAt}`,
  });
}

export async function disableBrokenEndpoint(
  database: Database,
  asRead: WebhookEndpoint,
  reason: 'gone' | 'failing',
  now: number,
): Promise<void> {
  const { url, failingSince = '' } = asRead;
  await updateEndpointRow(database, asRead, {
    set: { status: 'disabled', disabledReason: reason, disabledAt: toIso(now) },
    condition: allOf(
      expression`url = ${url} AND status = ${'enabled'}`,
      reason === 'failing' ? expression`failingSince = ${failingSince}` : undefined,
    ),
  });
}
