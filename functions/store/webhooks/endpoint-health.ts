import {
  circuitPause,
  firstPause,
  noResponsesBeforeOpening,
  serverHealth,
} from '../../domain/webhooks/endpoint-health.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { toIso } from '../../domain/time.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../database.ts';
import { allOf, expression } from '../expressions.ts';
import { updateEndpointRow, type EndpointKey } from './webhook-endpoints.ts';

type Endpoints = Database<'webhookEndpoints'>;

const outage = serverHealth.filter((name) => name !== 'ownerNotifiedAt');

/** Writes nothing and returns undefined if the endpoint was disabled, moved or deleted. Keeps `ownerNotifiedAt`. */
export async function recordSuccess(
  database: Endpoints,
  endpoint: WebhookEndpoint,
  slot: string,
  now: number,
): Promise<WebhookEndpoint | undefined> {
  return updateEndpointRow(database, endpoint, {
    set: { firstDeliveredAt: expression`if_not_exists(firstDeliveredAt, ${toIso(now)})`, answeredAt: toIso(now) },
    remove: [...outage, 'missedSince'],
    delete: { inFlight: new Set([slot]) },
    condition: expression`status = ${'enabled'} AND url = ${endpoint.url}`,
  });
}

/** Writes nothing and returns undefined if the endpoint was deleted or moved. */
export async function recordFailure(
  database: Endpoints,
  endpoint: WebhookEndpoint,
  { slot, noResponse, deliveryCreatedAt }: { slot: string; noResponse: boolean; deliveryCreatedAt: string },
  now: number,
): Promise<WebhookEndpoint | undefined> {
  const isSameServer = expression`url = ${endpoint.url}`;
  const failed = {
    set: {
      failingSince: expression`if_not_exists(failingSince, ${toIso(now)})`,
      missedSince: expression`if_not_exists(missedSince, ${deliveryCreatedAt})`,
      lastFailedAt: toIso(now),
      answeredAt: noResponse ? undefined : toIso(now),
    },
    add: { failedAttempts: 1 },
    delete: { inFlight: new Set([slot]) },
    condition: isSameServer,
  };
  if (!noResponse)
    return updateEndpointRow(database, endpoint, { ...failed, remove: ['consecutiveNoResponses', 'circuitOpenUntil'] });
  const isProbe = endpoint.circuitOpenUntil !== undefined;
  const counted = await updateEndpointRow(database, endpoint, {
    ...failed,
    add: { failedAttempts: 1, consecutiveNoResponses: 1 },
    condition: isProbe ? isSameServer : allOf(isSameServer, circuitMayOpen),
  });
  const row = counted ?? (await updateEndpointRow(database, endpoint, failed));
  return row && openCircuit(database, endpoint, row, now);
}

/** Only probes count beyond this: requests that were in flight when the circuit opened must not lengthen the next pause. */
const circuitMayOpen = expression`attribute_not_exists(consecutiveNoResponses) OR consecutiveNoResponses < ${noResponsesBeforeOpening}`;

async function openCircuit(
  database: Endpoints,
  asRead: WebhookEndpoint,
  counted: WebhookEndpoint,
  now: number,
): Promise<WebhookEndpoint> {
  const isProbe = asRead.circuitOpenUntil !== undefined;
  const pause = circuitPause(counted.consecutiveNoResponses ?? 0);
  if (pause === undefined || (counted.circuitOpenUntil !== undefined && !isProbe)) return counted;
  const opened = await updateEndpointRow(database, asRead, {
    set: { circuitOpenUntil: toIso(now + (isProbe ? pause : firstPause)) },
    condition: expression`attribute_exists(consecutiveNoResponses)`,
  });
  return opened ?? counted;
}

/**
 * Does nothing if the delivery had arrived before and was only resent. Call it before the delivery ends: one that has ended
 * gets no more tickets, so nothing would repeat it.
 */
export async function recordMissed(
  database: Endpoints,
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

export async function recordNotified(database: Endpoints, endpoint: WebhookEndpoint, now: number): Promise<void> {
  await updateEndpointRow(database, endpoint, {
    set: { ownerNotifiedAt: toIso(now) },
    condition: expression`attribute_exists(failingSince)`,
  });
}

export async function forgetNotified(
  database: Endpoints,
  { ownerNotifiedAt = '', ...endpoint }: WebhookEndpoint,
): Promise<void> {
  await updateEndpointRow(database, endpoint, {
    remove: ['ownerNotifiedAt'],
    condition: expression`ownerNotifiedAt = ${ownerNotifiedAt}`,
  });
}
