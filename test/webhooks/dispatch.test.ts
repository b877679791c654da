import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { deliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { hour, minute, toIso } from '../../functions/domain/time.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent, getEvents } from '../../functions/store/webhooks/events.ts';
import { remove } from '../../functions/store/rows.ts';
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { deliver } from '../../functions/webhooks/deliver.ts';
import { dispatchEvents } from '../../functions/webhooks/dispatch.ts';
import { listDeliveries } from '../../functions/webhooks/list-deliveries.ts';
import { resendEvent } from '../../functions/webhooks/resend.ts';
import { deleteEndpoint, disableEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { anEntry, author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';
import { beforeEachCall } from '../support/answered-client.ts';

const tables = await startTestTables();
const { database } = tables;

const isDue = (row: { readonly dueAt?: string | undefined } | undefined) => row?.dueAt !== undefined;

async function aDispatched() {
  const endpoint = await anEndpoint(tables);
  const key = await endpoint.dispatchedEvent();
  const due = async () => ({
    event: isDue(await getEvent(database, key.eventId)),
    delivery: isDue(await getDelivery(database, key)),
  });
  return { ...endpoint, key, due };
}

async function makeDue(eventId: string, at: number): Promise<void> {
  await database.documents.send(
    new UpdateCommand({
      TableName: database.tables.events,
      Key: { eventId },
      UpdateExpression: 'SET dueShard = :shard, dueAt = :at',
      ExpressionAttributeValues: { ':shard': 'dispatch#0', ':at': toIso(at) },
    }),
  );
}

const only = ({ practiceId, endpointId }: { practiceId: string; endpointId: string }) => ({ practiceId, endpointId });

describe('an event', () => {
  it('gets a pending delivery that is listed and due before its first attempt, and then is not due itself', async () => {
    const { state, tools, practiceId, key, due, row, drain } = await aDispatched();
    expect(await due()).toEqual({ event: false, delivery: true });
    expect(await row(key)).toMatchObject({
      status: 'pending',
      attempts: 0,
      eventType: 'session.payment.cancelled',
      createdAt: toIso(state.now),
      nextAttemptAt: toIso(state.now),
      dueAt: toIso(state.now + 2 * minute),
    });
    const { deliveries } = await listDeliveries(tools, { practiceId });
    expect(deliveries).toMatchObject([await row(key)]);
    expect(state.tickets.map(({ body }) => body)).toEqual([{ ...key, practiceId, attemptNumber: 1 }]);
    await drain();
    expect(await due()).toEqual({ event: false, delivery: false });
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('can be sent again before its first attempt, and is still posted once', async () => {
    const { state, tools, practiceId, key, drain, posted } = await aDispatched();
    await resendEvent(tools, { author, practiceId, ...key }, state.now);
    expect(state.tickets).toHaveLength(2);
    await drain();
    expect(posted()).toEqual([key.eventId]);
  });

  it('gets a due delivery for each of two endpoints', async () => {
    const { addEndpoint, dispatchedEvent, row, drain } = await anEndpoint(tables);
    const other = await addEndpoint();
    const key = await dispatchedEvent();
    const rows = async () => [await row(key), await row({ ...key, endpointId: other })].map(isDue);
    expect(isDue(await getEvent(database, key.eventId))).toBe(false);
    expect(await rows()).toEqual([true, true]);
    await drain();
    expect(await rows()).toEqual([false, false]);
  });

  it('gets a delivery without a ticket if its endpoint is disabled, which a replay from then on finds', async () => {
    const now = Date.now();
    const disabledAt = toIso(now + minute);
    const endpoint = await anEndpoint(tables, { now, status: 'disabled', disabledAt });
    const key = await endpoint.dispatchedEvent();
    expect(await endpoint.row(key)).toMatchObject({ status: 'skipped', createdAt: disabledAt });
    expect(endpoint.state.tickets).toEqual([]);
  });

  it('is delivered once if the sweep dispatches it and the stream brings its first row later', async () => {
    const { state, tools, outboxEvent, drain, sweep, posted } = await anEndpoint(tables);
    state.now += hour;
    const eventId = await outboxEvent();
    const events = await getEvents(database, [eventId]);
    state.now += 2 * minute;
    await sweep();
    const results = await dispatchEvents(tools, events, state.now);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled']);
    await drain();
    expect(posted()).toEqual([eventId]);
    expect(isDue(await getEvent(database, eventId))).toBe(false);
  });

  it('that is no longer stored when the stream brings it goes to no endpoint that was added since', async () => {
    const { state, tools, outboxEvent, addEndpoint } = await anEndpoint(tables);
    const eventId = await outboxEvent();
    const events = await getEvents(database, [eventId]);
    await remove(database, 'events', { eventId });
    state.now += hour;
    await addEndpoint();
    const results = await dispatchEvents(tools, events, state.now);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled']);
    expect(state.tickets).toEqual([]);
  });

  it('whose deliveries cannot be written fails and stays due, and the others of its batch are sent', async () => {
    const { state, tools, outboxEvent } = await anEndpoint(tables);
    const eventIds = [await outboxEvent(), await outboxEvent()];
    const failing = beforeEachCall(database, ({ operation, input }) => {
      const isDelivery = operation === 'PutItem' && input.TableName === database.tables.deliveries;
      if (isDelivery && JSON.stringify(input).includes(eventIds[0]!)) throw new Error('the table is down');
    });
    const events = await getEvents(database, eventIds);
    const results = await dispatchEvents({ ...tools, database: failing }, events, state.now);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const [failed, sent] = await Promise.all(eventIds.map((eventId) => getEvent(database, eventId)));
    expect([isDue(failed), isDue(sent)]).toEqual([true, false]);
    expect(state.tickets).toMatchObject([{ body: { eventId: eventIds[1] } }]);
  });

  it('is delivered once if several workers get its ticket at once', async () => {
    const { state, tools, drain, row, key, posted } = await aDispatched();
    const tickets = state.tickets.splice(0).map(({ body }) => deliveryTicket.parse(body));
    await Promise.all([1, 2, 3].map(() => deliver(tools, tickets)));
    await drain();
    expect(posted()).toEqual([key.eventId]);
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('is delivered again if its worker dies in the first attempt', async () => {
    const { state, tools, due, drain, sweep, row, key } = await aDispatched();
    const { post } = tools;
    tools.post = async () => {
      throw new Error('killed');
    };
    await expect(drain()).rejects.toThrow('killed');
    expect(await due()).toEqual({ event: false, delivery: true });
    tools.post = post;
    state.now += 2 * minute;
    await sweep();
    await drain();
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await due()).toEqual({ event: false, delivery: false });
  });

  it('that is due again after its delivery ended, as after a restore of the tables, is not sent again', async () => {
    const { state, due, dispatch, drain, key, posted } = await aDispatched();
    await drain();
    await makeDue(key.eventId, state.now);
    state.now += minute;
    await dispatch(key.eventId);
    expect(state.tickets).toEqual([]);
    expect(await due()).toEqual({ event: false, delivery: false });
    expect(posted()).toEqual([key.eventId]);
  });

  it("gets its delivery's ticket from the sweep if that is lost", async () => {
    const { state, due, drain, sweep, row, key } = await aDispatched();
    state.tickets.length = 0;
    state.now += 2 * minute;
    await sweep();
    expect(await due()).toEqual({ event: false, delivery: true });
    await drain();
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('stays due if its ticket cannot be sent, and the sweep fails as long as it cannot send it either', async () => {
    const { state, tools, outboxEvent, dispatch, sweep } = await anEndpoint(tables);
    tools.sendDeliveries = async (tickets) => {
      if (tickets.length > 0) throw new Error('the queue is down');
    };
    const eventId = await outboxEvent();
    await expect(dispatch(eventId)).rejects.toThrow('the queue is down');
    expect(isDue(await getEvent(database, eventId))).toBe(true);
    state.now += 2 * minute;
    await expect(sweep()).rejects.toThrow('1 due rows failed');
  });

  it('that could not be marked as dispatched is marked by the sweep, without another request', async () => {
    const { tools, outboxEvent, dispatch, drain, sweep, state, posted } = await anEndpoint(tables);
    tools.database = beforeEachCall(database, ({ operation, input }) => {
      const isMark = operation === 'UpdateItem' && input.TableName === database.tables.events;
      if (isMark) throw new Error('the events cannot be written');
    });
    const eventId = await outboxEvent();
    await expect(dispatch(eventId)).rejects.toThrow('the events cannot be written');
    await drain();
    expect(isDue(await getEvent(database, eventId))).toBe(true);
    tools.database = database;
    state.now += 2 * minute;
    await sweep();
    await drain();
    expect(isDue(await getEvent(database, eventId))).toBe(false);
    expect(posted()).toEqual([eventId]);
  });
});

describe('a delivery that waits for its first attempt', () => {
  it.each<[string, (of: Awaited<ReturnType<typeof aDispatched>>) => Promise<unknown>]>([
    ['disabled', ({ tools, state, ...key }) => disableEndpoint(tools, { ...only(key), author }, state.now)],
    ['deleted', ({ tools, state, ...key }) => deleteEndpoint(tools, { ...only(key), author }, state.now)],
  ])('ends as skipped if its endpoint is %s, even if its ticket is lost', async (_, change) => {
    for (const isLost of [false, true]) {
      const made = await aDispatched();
      const { state, row, key, due, drain, sweep, posted } = made;
      await change(made);
      if (isLost) {
        state.tickets.length = 0;
        state.now += 2 * minute;
        await sweep();
      }
      await drain();
      expect(posted()).toEqual([]);
      expect(await row(key)).toMatchObject({ status: 'skipped', attempts: 0 });
      expect(await due()).toEqual({ event: false, delivery: false });
    }
  });

  it('goes to the new URL if its endpoint moves', async () => {
    const { state, practiceId, endpointId, row, key, drain } = await aDispatched();
    const url = 'https://new.example.com/';
    await updateWebhookEndpoint(database, { practiceId, endpointId }, { url }, anEntry(practiceId));
    await drain();
    expect(state.posts.map((post) => post.url)).toEqual([url]);
    expect(await row(key)).toMatchObject({ status: 'delivered', firstAttempt: { url } });
  });

  it('is sent even if its endpoint no longer wants such events', async () => {
    const { practiceId, endpointId, row, key, drain } = await aDispatched();
    const eventTypes = ['session.payment.succeeded'];
    await updateWebhookEndpoint(database, { practiceId, endpointId }, { eventTypes }, anEntry(practiceId));
    await drain();
    expect(await row(key)).toMatchObject({ status: 'delivered' });
  });

  it('ends as skipped, and an endpoint that replaces its own does not get it', async () => {
    const { practiceId, endpointId, addEndpoint, drain, key, row, posted } = await aDispatched();
    await deleteWebhookEndpoint(database, { practiceId, endpointId }, anEntry(practiceId));
    const added = await addEndpoint();
    await drain();
    expect(posted()).toEqual([]);
    expect(await row(key)).toMatchObject({ status: 'skipped' });
    expect(await getDelivery(database, { ...key, endpointId: added })).toBeUndefined();
  });
});

it('a ticket whose delivery has no row, as after a restore, sends nothing', async () => {
  const { tools, practiceId, endpointId, outboxEvent, posted } = await anEndpoint(tables);
  const key = { eventId: await outboxEvent(), endpointId };
  await deliver(tools, [deliveryTicket.parse({ ...key, practiceId, attemptNumber: 1 })]);
  expect(posted()).toEqual([]);
  expect(await getDelivery(database, key)).toBeUndefined();
});
