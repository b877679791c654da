import { describe, expect, it } from 'vitest';
import { sessionEventId, sessionIdOfEvent } from '../../functions/domain/webhooks/event.ts';
import { createDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { storeSession } from '../support/create-practice.ts';
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

  it('holds 100 deliveries and says whether there are more, and a filter also finds older ones', async () => {
    const endpoint = await anEndpoint(tables);
    const { eventId } = await endpoint.event();
    endpoint.state.now += 1000;
    await aFewAtOnce(101, () => endpoint.event('disabled'));
    const log = await getDeliveryLog(tables, endpoint, endpoint.state.now);
    expect(log.deliveries).toHaveLength(100);
    expect(log.more).toBe(true);
    expect(log.deliveries.map((each) => each.eventId)).not.toContain(eventId);
    const pending = await getDeliveryLog(tables, { ...endpoint, status: 'pending' }, endpoint.state.now);
    expect(pending).toMatchObject({ deliveries: [{ eventId }], more: false });
  });

  it('has only what the filters let through, of one endpoint or of all', async () => {
    const endpoint = await anEndpoint(tables);
    const { practiceId, endpointId, state } = endpoint;
    const delivered = await endpoint.event();
    await endpoint.attempt(delivered, 1);
    const { eventId } = await endpoint.event();
    const sessionId = sessionIdOfEvent(eventId);
    const skipped = await endpoint.event('disabled');
    const idsOf = async (filters: Partial<Parameters<typeof getDeliveryLog>[1]>, now = state.now) =>
      (await getDeliveryLog(tables, { practiceId, endpointId, ...filters }, now)).deliveries.map(
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
    expect(await idsOf({ sessionId, status: 'delivered' })).toEqual([]);
    expect(await idsOf({ sessionId, since: state.now + 1 }, state.now + 1)).toEqual([]);
    expect(await idsOf({ sessionId, endpointId: await endpoint.addEndpoint() })).toEqual([]);
  });

  it('says that there are more only if the limit left some out', async () => {
    const endpoint = await anEndpoint(tables);
    await aFewAtOnce(2, () => endpoint.event());
    for (const [limit, more] of [
      [1, true],
      [2, false],
    ] as const)
      expect(await getDeliveryLog(tables, { ...endpoint, limit }, endpoint.state.now)).toMatchObject({ more });
  });

  it('mixes the deliveries of all endpoints by their time', async () => {
    const endpoint = await anEndpoint(tables);
    await endpoint.addEndpoint();
    const older = await endpoint.dispatchedEvent();
    endpoint.state.now += 1000;
    const newer = await endpoint.dispatchedEvent();
    const { deliveries } = await getDeliveryLog(tables, { practiceId: endpoint.practiceId }, endpoint.state.now);
    expect(deliveries.map(({ eventId }) => eventId)).toEqual([newer, newer, older, older].map((each) => each.eventId));
  });

  it('finds the newest event of a session that had a new link every day', async () => {
    const { practiceId, endpointId, state } = await anEndpoint(tables);
    const { sessionId } = await storeSession(tables.database, { practiceId, sequence: 40 }, state.now);
    for (const sequence of [1, 40]) {
      const event = {
        eventId: sessionEventId(sessionId, sequence),
        practiceId,
        type: 'session.payment.cancelled' as const,
      };
      await createDelivery(tables.database, event, { practiceId, endpointId, status: 'enabled' }, state.now);
    }
    const { deliveries } = await getDeliveryLog(tables, { practiceId, sessionId }, state.now);
    expect(deliveries.map(({ eventId }) => eventId)).toEqual([sessionEventId(sessionId, 40)]);
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
