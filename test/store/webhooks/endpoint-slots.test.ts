import { describe, expect, it } from 'vitest';
import { slotOf } from '../../../functions/domain/webhooks/endpoint-health.ts';
import { toIso } from '../../../functions/domain/time.ts';
import { freeSlots, takeProbe, takeSlots } from '../../../functions/store/webhooks/endpoint-slots.ts';
import { getWebhookEndpoint } from '../../../functions/store/webhooks/webhook-endpoints.ts';
import { startTestTables } from '../../support/tables.ts';
import { storeEndpoint } from '../../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const slotsOf = (...names: string[]) => names.map((name) => slotOf(`evt_${name}`, now + 60_000));
const answeredAt = toIso(now - 10_000);

const stored = async ({ practiceId, endpointId }: Awaited<ReturnType<typeof storeEndpoint>>) =>
  (await getWebhookEndpoint(database, practiceId, endpointId)) ?? expect.fail('the endpoint is gone');

describe('taking slots', () => {
  it('takes all of them or none, and never more than five in all', async () => {
    const endpoint = await storeEndpoint(database, { answeredAt });
    const take = async (...names: string[]) => (await takeSlots(database, endpoint, slotsOf(...names), now)).taken;
    expect([await take('1', '2', '3'), await take('4', '5', '6'), await take('4', '5'), await take('6')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect((await stored(endpoint)).inFlight).toEqual(new Set(slotsOf('1', '2', '3', '4', '5')));
  });

  it('gives more only to the batch that holds one, unless the endpoint answered in the last ten seconds', async () => {
    const [first = '', other = ''] = slotsOf('1', '2');
    const silent = await storeEndpoint(database, { inFlight: new Set([first]), answeredAt: toIso(now - 10_001) });
    expect(await takeSlots(database, silent, [other], now)).toMatchObject({ taken: false });
    expect(await takeSlots(database, silent, [other], now, { slot: 'lost' })).toMatchObject({ taken: false });
    expect(await takeSlots(database, silent, [other], now, { slot: first })).toMatchObject({ taken: true });
    const answering = await storeEndpoint(database, { inFlight: new Set([first]), answeredAt });
    expect(await takeSlots(database, answering, [other], now)).toMatchObject({ taken: true });
  });

  it.each([
    ['is disabled', { status: 'disabled' }],
    ['has an open circuit', { circuitOpenUntil: toIso(now) }],
  ] as const)('is refused if the endpoint %s', async (_, differences) => {
    const endpoint = await storeEndpoint(database, differences);
    expect(await takeSlots(database, endpoint, slotsOf('1'), now)).toMatchObject({ taken: false });
    expect(await stored(endpoint)).not.toHaveProperty('inFlight');
  });

  it('and freeing them record when the endpoint answered, if it did', async () => {
    const endpoint = await storeEndpoint(database);
    await takeSlots(database, endpoint, slotsOf('1'), now);
    await freeSlots(database, endpoint, slotsOf('1'));
    expect(await stored(endpoint)).not.toHaveProperty('answeredAt');
    await takeSlots(database, endpoint, slotsOf('1', '2'), now, { answeredAt: now - 5 });
    expect(await stored(endpoint)).toMatchObject({ answeredAt: toIso(now - 5) });
    await freeSlots(database, endpoint, slotsOf('1'), now);
    expect(await stored(endpoint)).toMatchObject({ answeredAt: toIso(now), inFlight: new Set(slotsOf('2')) });
  });
});

describe('a probe', () => {
  const circuitOpenUntil = toIso(now - 1);

  it('holds a slot and keeps the circuit open for the next pause', async () => {
    const endpoint = await storeEndpoint(database, { circuitOpenUntil, consecutiveNoResponses: 6 });
    const [slot = ''] = slotsOf('1');
    expect(await takeProbe(database, endpoint, slot, now)).toMatchObject({ circuitOpenUntil: toIso(now + 60_000) });
    expect((await stored(endpoint)).inFlight).toEqual(new Set([slot]));
    expect(await takeProbe(database, endpoint, slot, now), 'another worker was first').toBeUndefined();
  });

  it('is not sent to an endpoint that was disabled', async () => {
    const endpoint = await storeEndpoint(database, { circuitOpenUntil, status: 'disabled' });
    expect(await takeProbe(database, endpoint, 'slot', now)).toBeUndefined();
  });
});
