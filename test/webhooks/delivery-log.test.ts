import { describe, expect, it } from 'vitest';
import { sessionIdOfEvent } from '../../functions/domain/webhooks/event.ts';
import { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();

const day = 86_400_000;
const iso = (time: number) => new Date(time).toISOString();

describe("an endpoint's delivery log", () => {
  it('has its deliveries, newest first, with every attempt', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    const start = state.now;
    const first = await endpoint.event();
    state.answer = { statusCode: 500 };
    await endpoint.attempt(first, 1);
    state.now += 5_000;
    state.answer = { statusCode: 200 };
    await endpoint.attempt(first, 2);
    const second = await endpoint.event();

    const log = await getDeliveryLog(tables, endpoint, state.now);
    expect(log).toMatchObject({ since: iso(state.now - 14 * day), more: false });
    expect(log.deliveries).toMatchObject([
      { eventId: second.eventId, status: 'pending', createdAt: iso(state.now), attempts: [] },
      {
        eventId: first.eventId,
        eventType: 'session.payment.cancelled',
        status: 'delivered',
        createdAt: iso(start),
        deliveredAt: iso(state.now),
        attempts: [
          { attemptNumber: 1, statusCode: 500 },
          { attemptNumber: 2, statusCode: 200 },
        ],
      },
    ]);
    expect(log.deliveries[1]?.attempts[0]).not.toHaveProperty('deliveryId');
  });

  it('starts where it is asked to', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    await endpoint.event();
    state.now += day;
    const { eventId } = await endpoint.event();
    const log = await getDeliveryLog(tables, { ...endpoint, since: state.now - 1000 }, state.now);
    expect(log.deliveries.map((delivery) => delivery.eventId)).toEqual([eventId]);
  });

  it('holds 100 deliveries and says whether there are more', async () => {
    const endpoint = await anEndpoint(tables);
    await aFewAtOnce(101, () => endpoint.event('disabled'));
    const log = await getDeliveryLog(tables, endpoint, endpoint.state.now);
    expect(log.deliveries).toHaveLength(100);
    expect(log.more).toBe(true);
  });

  it('has only what the filters let through, of one endpoint or of all', async () => {
    const endpoint = await anEndpoint(tables);
    const { practiceId, endpointId, state } = endpoint;
    const delivered = await endpoint.event();
    await endpoint.attempt(delivered, 1);
    const { eventId } = await endpoint.event();
    const sessionId = sessionIdOfEvent(eventId);
    const skipped = await endpoint.event('disabled');
    const idsOf = async (filters: Partial<Parameters<typeof getDeliveryLog>[1]>) =>
      (await getDeliveryLog(tables, { practiceId, endpointId, ...filters }, state.now)).deliveries.map(
        (each) => each.eventId,
      );

    expect(await idsOf({ status: 'delivered' })).toEqual([delivered.eventId]);
    expect(await idsOf({ status: 'skipped', endpointId: undefined })).toEqual([skipped.eventId]);
    expect(await idsOf({ type: 'session.payment.cancelled' })).toHaveLength(3);
    expect(await idsOf({ type: 'session.payment.failed' })).toEqual([]);
    expect(await idsOf({ sessionId })).toEqual([eventId]);
    expect(await idsOf({ sessionId, endpointId: undefined })).toEqual([eventId]);
    expect(await idsOf({ sessionId, practiceId: 'prc_other', endpointId: undefined })).toEqual([]);
    expect(await idsOf({ limit: 2 })).toHaveLength(2);
  });

  it('is refused for an unknown endpoint, and for a date in the future', async () => {
    const endpoint = await anEndpoint(tables);
    const { now } = endpoint.state;
    expect(await problemOf(getDeliveryLog(tables, { ...endpoint, practiceId: 'prc_none' }, now))).toMatchObject({
      code: 'webhook_endpoint_not_found',
    });
    expect(await problemOf(getDeliveryLog(tables, { ...endpoint, since: now + 1 }, now))).toMatchObject({
      code: 'since_in_future',
    });
  });
});
