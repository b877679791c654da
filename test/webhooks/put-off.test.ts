import { describe, expect, it } from 'vitest';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import { remove } from '../../functions/store/rows.ts';
import { countRequests } from '../support/answered-client.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const { database } = await startTestTables();

/** Waiting for it means waiting until the test times out. */
const forever = { pause: () => new Promise<never>(() => {}) };

const statuses = (results: readonly PromiseSettledResult<void>[]) => results.map(({ status }) => status);

it('the rest of a batch whose five seconds are over comes back, each delivery once and without its lease', async () => {
  const { state, event, batch, row, posted } = await anEndpoint({ database });
  const [first, waiting] = [await event(), await event()];
  state.answer = () => {
    state.now += 5 * second;
    return { statusCode: 204 };
  };
  const results = await batch([first, waiting, waiting], { ...forever, random: () => 0.5 });
  expect(statuses(results)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(posted()).toEqual([first.eventId]);
  expect(state.tickets).toMatchObject([{ body: { ...waiting, attemptNumber: 1 }, delay: 3 * second }]);
  expect(await row(waiting)).toMatchObject({ status: 'pending', attempts: 0 });
  expect(await row(waiting)).not.toHaveProperty('leasedUntil');
});

it('a delivery that another worker sent before it is put off does not come back', async () => {
  const { state, event, batch, attempt, row, posted } = await anEndpoint({ database });
  const [first, waiting] = [await event(), await event()];
  const leased = async () => (await row(waiting)).leasedUntil !== undefined;
  state.answer = async () => {
    await expect.poll(leased).toBe(true);
    state.answer = { statusCode: 204 };
    state.now += 2 * minute;
    await attempt(waiting, 1);
    return { statusCode: 204 };
  };
  expect(statuses(await batch([first, waiting], forever))).toEqual(['fulfilled', 'fulfilled']);
  expect(posted()).toEqual([first.eventId, waiting.eventId]);
  expect(await row(waiting)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(state.tickets).toEqual([]);
});

it('two tickets of a delivery to a disabled endpoint skip it, and neither comes back', async () => {
  const { event, batch, row } = await anEndpoint({ database }, { status: 'disabled' });
  const key = await event('enabled');
  expect(statuses(await batch([key, key]))).toEqual(['fulfilled', 'fulfilled']);
  expect(await row(key)).toMatchObject({ status: 'skipped' });
});

describe('while the circuit is open', () => {
  const open = () => anEndpoint({ database }, { circuitOpenUntil: toIso(Date.now() + minute) });

  it('two tickets of a delivery become one', async () => {
    const { state, event, batch } = await open();
    const key = await event();
    expect(statuses(await batch([key, key]))).toEqual(['fulfilled', 'fulfilled']);
    expect(state.tickets).toMatchObject([{ body: key }]);
  });

  it('the ticket of a delivery that has ended does not come back', async () => {
    const { state, event, batch } = await open();
    expect(statuses(await batch([await event('disabled')]))).toEqual(['fulfilled']);
    expect(state.tickets).toEqual([]);
  });

  it('a delivery whose event is no longer stored ends as skipped', async () => {
    const { event, batch, row } = await open();
    const key = await event();
    await remove(database, 'events', { eventId: key.eventId });
    expect(statuses(await batch([key]))).toEqual(['fulfilled']);
    expect(await row(key)).toMatchObject({ status: 'skipped' });
  });
});

describe('once the pause of a circuit is over', () => {
  const over = async () => {
    const now = Date.now();
    const circuit = { circuitOpenUntil: toIso(now - minute), consecutiveNoResponses: 5 };
    return { circuit, ...(await anEndpoint({ database }, { now, ...circuit })) };
  };

  it('a probe that fails puts off each other delivery of its batch in one write, without a lease', async () => {
    const { state, event, batch } = await over();
    const keys = [await event(), await event(), await event()];
    state.answer = { error: 'timeout' };
    const { database: counted, requests } = countRequests(database);
    await batch(keys, { ...forever, database: counted });
    expect(state.posts).toHaveLength(1);
    expect(state.tickets).toHaveLength(3);
    expect(requests()).toMatchObject({ deliveries: keys.length });
  });

  it('tickets of deliveries that have ended do not probe', async () => {
    const { circuit, state, event, batch, endpoint } = await over();
    const keys = [await event('disabled'), await event('disabled')];
    expect(statuses(await batch(keys))).toEqual(['fulfilled', 'fulfilled']);
    expect(state.posts).toEqual([]);
    expect(await endpoint()).toMatchObject(circuit);
  });
});
