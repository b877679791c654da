import { describe, expect, it } from 'vitest';
import { circuitGate, circuitPause, isFailing, isHopeless } from '../../functions/domain/endpoint-health.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

describe('an endpoint is turned off', () => {
  const hopeless = { failingSince: hoursAgo(120), failedAttempts: 10 };

  it('after 120 hours without a success and ten failed attempts', () => {
    expect(isHopeless(hopeless, now)).toBe(true);
  });

  it.each([
    ['a minute less', { ...hopeless, failingSince: hoursAgo(119.98) }],
    ['nine attempts', { ...hopeless, failedAttempts: 9 }],
    ['no trouble', {}],
  ])('not with %s', (_, health) => {
    expect(isHopeless(health, now)).toBe(false);
  });
});

describe('the owner', () => {
  it('is told at the fourth failed attempt since the last success, once', () => {
    expect([1, 2, 3, 4, 5].map((failedAttempts) => isFailing({ failingSince: hoursAgo(1), failedAttempts }))).toEqual([false, false, false, true, true]);
    expect(isFailing({ failingSince: hoursAgo(1), failedAttempts: 9, failingToldAt: hoursAgo(0) })).toBe(false);
  });
});

describe('the circuit', () => {
  it('opens at the fifth fault in a row, for pauses that double up to five minutes', () => {
    expect([1, 4, 5, 6, 7, 8, 9, 30].map(circuitPause)).toEqual([undefined, undefined, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it('lets everything pass while closed, nothing while open, and one probe when its pause is over', () => {
    expect(circuitGate({}, now, 0)).toEqual({ pass: 'free' });
    expect(circuitGate({ circuitOpenUntil: hoursAgo(-1) }, now, 0)).toEqual({ pass: 'wait', until: now + 3_600_000 });
    expect(circuitGate({ circuitOpenUntil: hoursAgo(-1) }, now, 0.999)).toEqual({ pass: 'wait', until: now + 3_604_995 });
    expect(circuitGate({ circuitOpenUntil: hoursAgo(0) }, now, 0)).toEqual({ pass: 'probe' });
  });
});
