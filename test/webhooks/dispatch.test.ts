import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { deliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent, getEvents } from '../../functions/store/webhooks/events.ts';
import { deleteWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { deliver } from '../../functions/webhooks/deliver.ts';
import { dispatchEvents } from '../../functions/webhooks/dispatch.ts';
import { anEntry } from '../support/create-practice.ts';
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

describe('an event with one enabled endpoint', () => {
  it('stays due until it is delivered, and its delivery never is: its row comes with its first attempt', async () => {
    const { due, drain, row, key } = await aDispatched();
    expect(await getDelivery(database, key)).toBeUndefined();
    expect(await due()).toEqual({ event: true, delivery: false });
    await drain();
    expect(await due()).toEqual({ event: false, delivery: false });
    expect(await row(key)).toMatchObject({ status: 'delivered' });
  });

  it.each([{ statusCode: 500 }, { error: 'timeout' }] as const)(
    'passes the due time on to a delivery that fails with %o',
    async (answer) => {
      const { state, due, drain } = await aDispatched();
      state.answer = answer;
      const [first] = state.tickets.splice(0);
      state.tickets.push(...(first ? [first] : []));
      await drain();
      expect(await due()).toEqual({ event: false, delivery: true });
    },
  );

  it('is not due any more if the delivery ends for good', async () => {
    const { state, due, drain } = await aDispatched();
    state.answer = { statusCode: 400 };
    await drain();
    expect(await due()).toEqual({ event: false, delivery: false });
  });

  it('is delivered once if it comes twice', async () => {
    const { state, due, dispatch, drain, key, posted } = await aDispatched();
    await dispatch(key.eventId);
    expect(await due()).toEqual({ event: true, delivery: false });
    expect(state.tickets).toHaveLength(2);
    await drain();
    expect(await due()).toEqual({ event: false, delivery: false });
    expect(posted()).toEqual([key.eventId]);
  });

  it('is delivered once if the sweep dispatches it and the stream brings its first row later', async () => {
    const { state, tools, outboxEvent, drain, sweep, posted } = await anEndpoint(tables);
    state.now += hour;
    const eventId = await outboxEvent();
    const events = await getEvents(database, [eventId]);
    state.now += 2 * minute;
    await sweep();
    await dispatchEvents(tools, events, state.now);
    await drain();
    expect(posted()).toEqual([eventId]);
    expect(isDue(await getEvent(database, eventId))).toBe(false);
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
    expect(await due()).toEqual({ event: true, delivery: false });
    tools.post = post;
    state.now += 2 * minute;
    await sweep();
    await drain();
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await due()).toEqual({ event: false, delivery: false });
  });

  it('does not stay due if its delivery ended before its dispatch, as after a restore of the tables', async () => {
    const { state, due, dispatch, drain, key, posted } = await aDispatched();
    await drain();
    await database.documents.send(
      new UpdateCommand({
        TableName: database.tables.events,
        Key: { eventId: key.eventId },
        UpdateExpression: 'SET dueShard = :shard, dueAt = :at',
        ExpressionAttributeValues: { ':shard': 'dispatch#0', ':at': new Date(state.now).toISOString() },
      }),
    );
    state.now += minute;
    await dispatch(key.eventId);
    expect(await due()).toEqual({ event: true, delivery: false });
    await drain();
    expect(await due()).toEqual({ event: false, delivery: false });
    expect(posted()).toEqual([key.eventId]);
  });

  it('is dispatched again by the sweep if its ticket is lost', async () => {
    const { state, due, drain, sweep, row, key } = await aDispatched();
    state.tickets.length = 0;
    state.now += 2 * minute;
    await sweep();
    expect(await due()).toEqual({ event: false, delivery: true });
    await drain();
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('stays due, and the sweep fails, if the sweep cannot send its ticket either', async () => {
    const { state, tools, due, sweep } = await aDispatched();
    tools.sendDeliveries = async (tickets) => {
      if (tickets.length > 0) throw new Error('the queue is down');
    };
    state.now += 2 * minute;
    await expect(sweep()).rejects.toThrow('1 due rows failed');
    expect(await due()).toEqual({ event: true, delivery: true });
  });

  it('that its delivery could not mark as dispatched is marked by the sweep, without another request', async () => {
    const { tools, due, drain, sweep, state, posted, key } = await aDispatched();
    tools.database = beforeEachCall(database, ({ operation, input }) => {
      const isMark = operation === 'UpdateItem' && input.TableName === database.tables.events;
      if (isMark) throw new Error('the events cannot be written');
    });
    await drain();
    expect(await due()).toEqual({ event: true, delivery: false });
    tools.database = database;
    state.now += 2 * minute;
    await sweep();
    await drain();
    expect(await due()).toEqual({ event: false, delivery: false });
    expect(posted()).toEqual([key.eventId]);
  });

  it('is delivered to an endpoint that was replaced before the sweep, and not to the old one', async () => {
    const { state, practiceId, endpointId, addEndpoint, drain, sweep, key } = await aDispatched();
    state.tickets.length = 0;
    await deleteWebhookEndpoint(database, { practiceId, endpointId }, anEntry(practiceId));
    const added = await addEndpoint();
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      state.now += 2 * minute;
      await sweep();
      await drain();
    }
    expect(await getDelivery(database, { ...key, endpointId: added })).toMatchObject({ status: 'delivered' });
    expect(await getDelivery(database, key)).toBeUndefined();
    expect(isDue(await getEvent(database, key.eventId))).toBe(false);
  });
});

describe('an event with two enabled endpoints', () => {
  it('is due only until its dispatch; then both deliveries are', async () => {
    const { addEndpoint, dispatchedEvent, row, drain } = await anEndpoint(tables);
    const other = await addEndpoint();
    const key = await dispatchedEvent();
    const rows = async () => [await row(key), await row({ ...key, endpointId: other })].map(isDue);
    expect(isDue(await getEvent(database, key.eventId))).toBe(false);
    expect(await rows()).toEqual([true, true]);
    await drain();
    expect(await rows()).toEqual([false, false]);
  });
});
