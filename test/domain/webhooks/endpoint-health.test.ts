import { describe, expect, it } from 'vitest';
import {
  beginsToFail,
  circuitPause,
  circuitJitter,
  gotNoResponse,
  hasHung,
  isFailing,
  shouldDisable,
  lostSlots,
  slotDuration,
  slotOf,
  slotWait,
  successChangesHealth,
} from '../../../functions/domain/webhooks/endpoint-health.ts';
import { attemptErrors } from '../../../functions/domain/webhooks/delivery.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

describe('an endpoint is disabled', () => {
  const hopeless = { failingSince: hoursAgo(120), failedAttempts: 10 };

  it('after 120 hours without a success and ten failed attempts', () => {
    expect(shouldDisable(hopeless, hoursAgo(24), now)).toBe(true);
  });

  it.each([
    ['a minute less', { ...hopeless, failingSince: hoursAgo(119.98) }],
    ['nine attempts', { ...hopeless, failedAttempts: 9 }],
    ['no trouble', {}],
  ])('not with %s', (_, health) => {
    expect(shouldDisable(health, hoursAgo(1), now)).toBe(false);
  });

  it('not by one failure after a day of silence', () => {
    expect(shouldDisable(hopeless, hoursAgo(24.01), now)).toBe(false);
    expect(shouldDisable(hopeless, undefined, now)).toBe(false);
  });
});

describe('the owner of an endpoint', () => {
  it('is notified once, at the fourth failed attempt since the last success', () => {
    expect(
      [1, 2, 3, 4, 5].map((failedAttempts) =>
        isFailing({ failingSince: hoursAgo(1), failedAttempts }, { statusCode: 500 }),
      ),
    ).toEqual([false, false, false, true, true]);
    expect(
      isFailing({ failingSince: hoursAgo(1), failedAttempts: 9, ownerNotifiedAt: hoursAgo(0) }, { statusCode: 500 }),
    ).toBe(false);
  });

  it('is notified immediately that a host name resolves to a blocked address', () => {
    expect(isFailing({ failingSince: hoursAgo(1), failedAttempts: 1 }, { error: 'blocked_address' })).toBe(true);
    expect(
      isFailing(
        { failingSince: hoursAgo(1), failedAttempts: 2, ownerNotifiedAt: hoursAgo(1) },
        { error: 'blocked_address' },
      ),
    ).toBe(false);
  });
});

describe('the first failure after a success', () => {
  it('is the beginning of an outage, but not at an endpoint that never worked', () => {
    const firstDeliveredAt = hoursAgo(9);
    expect(beginsToFail({ firstDeliveredAt, failedAttempts: 1 })).toBe(true);
    expect(beginsToFail({ firstDeliveredAt, failedAttempts: 2 })).toBe(false);
    expect(beginsToFail({ failedAttempts: 1 })).toBe(false);
  });
});

describe('a success', () => {
  it('is recorded if it is the first one or ends an outage', () => {
    const firstDeliveredAt = hoursAgo(9);
    expect(successChangesHealth({})).toBe(true);
    expect(successChangesHealth({ firstDeliveredAt, failingSince: hoursAgo(1) })).toBe(true);
    expect(successChangesHealth({ firstDeliveredAt, missedSince: hoursAgo(1) })).toBe(true);
    expect(successChangesHealth({ firstDeliveredAt, answeredAt: hoursAgo(1) })).toBe(false);
  });
});

describe('the circuit', () => {
  it('counts only attempts that got no response', () => {
    const answered = ['blocked_address', 'unreadable_response', 'response_header_too_large'];
    for (const error of attemptErrors) {
      expect(gotNoResponse({ error }), error).toBe(!answered.includes(error));
      expect(gotNoResponse({ statusCode: 200, error }), `200, ${error}`).toBe(false);
    }
    expect(gotNoResponse({ statusCode: 500 })).toBe(false);
  });

  it('opens at the fifth fault in a row, for 30 s to 5 min with exponential backoff', () => {
    expect([5, 6, 7, 8, 9, 30].map(circuitPause)).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it('makes deliveries wait with jitter: an eighth of their age, from 5 s to an hour', () => {
    expect(circuitJitter(0, 0)).toBe(0);
    expect(circuitJitter(0, 0.999)).toBe(4_995);
    expect(circuitJitter(80_000, 0.999)).toBe(9_990);
    expect(circuitJitter(100 * 3_600_000, 0.999)).toBe(3_596_400);
  });
});

describe('a delivery to a full endpoint', () => {
  it.each([
    ['1 to 5 s when new', 0, 1_000, 5_000],
    ['longer the older it is', 30_000, 1_000, 16_000],
    ['at most 15 minutes, as a ticket can', 90_000_000, 1_000, 841_000],
  ])('waits %s', (_, age, least, most) => {
    expect(slotWait(age, 0)).toBe(least);
    expect(slotWait(age, 1)).toBe(most);
  });

  it('may free slots whose lease has expired', () => {
    const slots = [slotOf('evt_1', now - slotDuration), slotOf('evt_2', now - slotDuration + 1)];
    expect(lostSlots({ inFlight: new Set(slots) }, now)).toEqual(['2026-11-20T10:00:00.000Z#evt_1']);
    expect(lostSlots({}, now)).toEqual([]);
  });
});

describe('an endpoint hangs', () => {
  const reservedAgo = (milliseconds: number) => new Set([slotOf('evt_1', now - milliseconds)]);
  const answered = (milliseconds: number) => ({ answeredAt: new Date(now - milliseconds).toISOString() });

  it('if a slot was reserved half a second ago and no answer came since', () => {
    expect(hasHung({ inFlight: reservedAgo(500) }, now)).toBe(true);
    expect(hasHung({ inFlight: reservedAgo(500), ...answered(501) }, now)).toBe(true);
    expect(hasHung({ inFlight: new Set([...reservedAgo(0), ...reservedAgo(900)]) }, now)).toBe(true);
  });

  it('not if the slot is newer, or something was answered in the meantime', () => {
    expect(hasHung({}, now)).toBe(false);
    expect(hasHung({ inFlight: reservedAgo(499) }, now)).toBe(false);
    expect(hasHung({ inFlight: reservedAgo(500), ...answered(500) }, now)).toBe(false);
  });
});
