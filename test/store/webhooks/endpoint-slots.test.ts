import { describe, expect, it } from 'vitest';
import { slotOf } from '../../../functions/domain/webhooks/endpoint-health.ts';
import { toIso } from '../../../functions/domain/time.ts';
import { freeSlots, reserveProbe, reserveSlot } from '../../../functions/store/webhooks/endpoint-health.ts';
import { getWebhookEndpoint } from '../../../functions/store/webhooks/webhook-endpoints.ts';
import { startTestTables } from '../../support/tables.ts';
import { storeEndpoint } from '../../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const slotsOf = (...names: string[]) => names.map((name) => slotOf(`evt_${name}`, now));
const answeredAt = toIso(now - 10_000);

const stored = async ({ practiceId, endpointId }: Awaited<ReturnType<typeof storeEndpoint>>) =>
  (await getWebhookEndpoint(database, practiceId, endpointId)) ?? expect.fail('the endpoint is gone');

describe('reserving a slot', () => {
  it('never reserves more than five in all', async () => {
    const endpoint = await storeEndpoint(database, { answeredAt });
    const slots = slotsOf('1', '2', '3', '4', '5', '6');
    const written: boolean[] = [];
    for (const slot of slots) written.push((await reserveSlot(database, endpoint, slot, now)).written);
    expect(written).toEqual([true, true, true, true, true, false]);
    expect((await stored(endpoint)).inFlight).toEqual(new Set(slots.slice(0, 5)));
  });

  it('gives another one only to the batch that holds one, unless the endpoint answered in the last ten seconds', async () => {
    const [first = '', other = ''] = slotsOf('1', '2');
    const silent = await storeEndpoint(database, { inFlight: new Set([first]), answeredAt: toIso(now - 10_001) });
    expect(await reserveSlot(database, silent, other, now)).toMatchObject({ written: false });
    expect(await reserveSlot(database, silent, other, now, { slot: 'lost' })).toMatchObject({ written: false });
    expect(await reserveSlot(database, silent, other, now, { slot: first })).toMatchObject({ written: true });
    const answering = await storeEndpoint(database, { inFlight: new Set([first]), answeredAt });
    expect(await reserveSlot(database, answering, other, now)).toMatchObject({ written: true });
  });

  it.each([
    ['is disabled', { status: 'disabled' }],
    ['has an open circuit', { circuitOpenUntil: toIso(now) }],
  ] as const)('is refused if the endpoint %s', async (_, differences) => {
    const endpoint = await storeEndpoint(database, differences);
    expect(await reserveSlot(database, endpoint, 'slot', now)).toMatchObject({ written: false });
    expect(await stored(endpoint)).not.toHaveProperty('inFlight');
  });

  it('and freeing it record when the endpoint answered, if it did', async () => {
    const endpoint = await storeEndpoint(database);
    const [first = '', second = ''] = slotsOf('1', '2');
    await reserveSlot(database, endpoint, first, now);
    await freeSlots(database, endpoint, [first]);
    expect(await stored(endpoint)).not.toHaveProperty('answeredAt');
    await reserveSlot(database, endpoint, first, now, { answeredAt: now - 5 });
    await reserveSlot(database, endpoint, second, now, { slot: first });
    expect(await stored(endpoint)).toMatchObject({ answeredAt: toIso(now - 5) });
    await freeSlots(database, endpoint, [first], now);
    expect(await stored(endpoint)).toMatchObject({ answeredAt: toIso(now), inFlight: new Set([second]) });
  });
});

describe('a probe', () => {
  const circuitOpenUntil = toIso(now - 1);

  it('holds a slot, counts as unanswered, and keeps the circuit open for the next pause', async () => {
    const endpoint = await storeEndpoint(database, { circuitOpenUntil, consecutiveNoResponses: 6 });
    const [slot = ''] = slotsOf('1');
    const probed = { circuitOpenUntil: toIso(now + 120_000), consecutiveNoResponses: 7 };
    expect(await reserveProbe(database, endpoint, slot, now)).toMatchObject(probed);
    expect((await stored(endpoint)).inFlight).toEqual(new Set([slot]));
    expect(await reserveProbe(database, endpoint, slot, now), 'another worker was first').toBeUndefined();
  });

  it('is not sent to an endpoint that was disabled', async () => {
    const endpoint = await storeEndpoint(database, { circuitOpenUntil, status: 'disabled' });
    expect(await reserveProbe(database, endpoint, 'slot', now)).toBeUndefined();
  });
});
