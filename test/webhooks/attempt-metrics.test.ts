import { expect, it } from 'vitest';
import { sessionEventBody } from '../../functions/domain/webhooks/event.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { second, toIso } from '../../functions/domain/time.ts';
import { getDelivery, rescheduleDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { reopenDelivery } from '../../functions/store/webhooks/delivery-log.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { attemptMetrics } from '../../functions/webhooks/attempt.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';
import { storeDelivery, storeEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
const { database } = tables;

async function aDelivery(status: 'enabled' | 'disabled' = 'enabled') {
  const now = Date.now();
  const key = await storeDelivery(database, await storeEndpoint(database), now, status);
  const body = sessionEventBody('session.payment.succeeded', aSession(), 'processing', toIso(now));
  const event = { ...(await getEvent(database, key.eventId))!, body };
  const row = async () => (await getDelivery(database, key))!;
  const measured = async (startedAt: number) =>
    Object.fromEntries(
      attemptMetrics(await row(), event, 'delivered', startedAt).map(({ metric, value }) => [metric, value]),
    );
  return { now, row, event, measured };
}

it('the time from an event to its POST is that of a first attempt, however late we are', async () => {
  const { event, measured } = await aDelivery();
  const created = Date.parse(event.createdAt);
  for (const late of [second, 3600 * second])
    expect(await measured(created + late)).toMatchObject({ CommitToPost: late, WebhookAttempts: 1 });
});

it('the time to the POST is not measured if the endpoint was full or its circuit open', async () => {
  const { now, row, measured } = await aDelivery();
  expect(await rescheduleDelivery(database, await row(), { nextAttemptAt: now + 30 * second, byTicket: true })).toBe(
    true,
  );
  expect(await measured(now + 30 * second)).not.toHaveProperty('CommitToPost');
});

it('the time to the POST is not measured for a replay of what was skipped', async () => {
  const { now, row, measured } = await aDelivery('disabled');
  expect(await reopenDelivery(database, await row(), now + 30 * second)).toBe(true);
  expect(await measured(now + 31 * second)).not.toHaveProperty('CommitToPost');
});

it('the time to the POST is not measured for an expiration, which the sweep writes up to minutes after its time', async () => {
  const { row, now } = await aDelivery();
  const cancelled = (reason: 'expired' | 'requested_by_practice') =>
    aSession({ status: 'cancelled', cancelledAt: toIso(now), cancellation: { reason } });
  const metricsOf = async (session: Session) => {
    const body = sessionEventBody('session.payment.cancelled', session, 'pending', toIso(now));
    const event = { sessionId: session.sessionId, createdAt: toIso(now), body };
    return attemptMetrics(await row(), event, 'delivered', now + 90 * second).map(({ metric }) => metric);
  };
  expect(await metricsOf(cancelled('expired'))).not.toContain('CommitToPost');
  expect(await metricsOf(cancelled('requested_by_practice'))).toContain('CommitToPost');
});

it.each([
  ['delivered', 1],
  ['pending', 0],
  ['failed', 0],
] as const)('an attempt that ends as %s counts as %d webhooks delivered', async (status, value) => {
  const { row, event, now } = await aDelivery();
  expect(attemptMetrics(await row(), event, status, now)).toContainEqual({ metric: 'WebhooksDelivered', value });
});
