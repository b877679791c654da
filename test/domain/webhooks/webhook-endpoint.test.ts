import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { minute, toIso } from '../../../functions/domain/time.ts';
import {
  generateEndpointId,
  isEndpointId,
  replayStart,
  rotatedSecrets,
  signingSecrets,
  subscribedBefore,
  wantsEvent,
  type WebhookEndpoint,
} from '../../../functions/domain/webhooks/webhook-endpoint.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const [at, later] = [toIso(now), toIso(now + 1)];
const endpoint: WebhookEndpoint = {
  practiceId: 'plt_1',
  endpointId: 'whe_1',
  url: 'https://hooks.example.com/',
  status: 'enabled',
  signingSecret: 'current',
  createdAt: at,
};

describe('an endpoint signs', () => {
  const older = [
    { signingSecret: 'second', expiresAt: later },
    { signingSecret: 'third', expiresAt: at },
  ];

  it('with its secret alone before the first rotation', () => {
    expect(signingSecrets(endpoint, now)).toEqual(['current']);
  });

  it('with each replaced secret until the millisecond in which it expires', () => {
    const previous = { previousSigningSecret: 'first', previousSecretExpiresAt: later };
    const rotated = { ...endpoint, ...previous, olderSigningSecrets: older };
    expect(signingSecrets(rotated, now - 1)).toEqual(['current', 'first', 'second', 'third']);
    expect(signingSecrets(rotated, now)).toEqual(['current', 'first', 'second']);
    expect(signingSecrets(rotated, now + 1)).toEqual(['current']);
  });

  it('after a rotation with the last four replaced secrets, if they have not expired', () => {
    const rotate = (before: WebhookEndpoint, secret: string): WebhookEndpoint => ({
      ...before,
      ...rotatedSecrets(before, secret, later, now),
    });
    const rotated = ['1', '2', '3', '4', '5'].reduce(rotate, endpoint);
    expect(signingSecrets(rotated, now)).toEqual(['5', '4', '3', '2', '1']);
    expect(signingSecrets(rotate({ ...endpoint, olderSigningSecrets: older }, 'new'), now)).toEqual([
      'new',
      'current',
      'second',
    ]);
  });

  it('after a leak with the new secret alone', () => {
    const leaked = { ...endpoint, ...rotatedSecrets({ ...endpoint, olderSigningSecrets: older }, 'new', at, now) };
    expect(signingSecrets(leaked, now)).toEqual(['new']);
    expect(leaked.olderSigningSecrets).toEqual([]);
  });
});

it('a replay starts where a disabled endpoint began to miss webhooks, or else where it was disabled', () => {
  const disabled = { ...endpoint, status: 'disabled', disabledAt: later } as const;
  expect(replayStart(disabled)).toBe(later);
  expect(replayStart({ ...disabled, missedSince: at })).toBe(at);
  expect(replayStart({ ...endpoint, missedSince: at })).toBeUndefined();
});

it('an endpoint surely wanted an event if nothing about it changed in the quarter of an hour before', () => {
  const before = toIso(now + 15 * minute);
  expect(subscribedBefore(endpoint, before)).toBe(false);
  expect(subscribedBefore(endpoint, toIso(now + 15 * minute + 1))).toBe(true);
  const changed = { ...endpoint, createdAt: toIso(now - 60 * minute), eventTypesChangedAt: at };
  expect(subscribedBefore(changed, before)).toBe(false);
});

it("an endpoint's id is short enough for a key", () => {
  const generated = generateEndpointId(randomBytes);
  expect(generated).toMatch(/^whe_\w{20}$/);
  for (const id of [generated, 'whe_1', `whe_${'a'.repeat(40)}`]) expect(isEndpointId(id)).toBe(true);
  for (const id of ['whe_', `whe_${'a'.repeat(41)}`, 'xwhe_1', 'whe_1-', 'evt_1']) expect(isEndpointId(id)).toBe(false);
});

it("a platform's endpoint that names practices gets their events and their moves, if it names those", () => {
  const of = { ...endpoint, practiceIds: ['prc_1'] };
  const paid = { type: 'session.payment.succeeded', practiceId: 'prc_1' };
  expect(wantsEvent(of, paid)).toBe(true);
  expect(wantsEvent(of, { ...paid, practiceId: 'prc_2' })).toBe(false);
  const joined = { type: 'practice.joined', practiceId: 'plt_1', movedPracticeId: 'prc_1' };
  expect(wantsEvent(of, joined)).toBe(false);
  const named = { ...of, eventTypes: ['practice.joined'] };
  expect(wantsEvent(named, joined)).toBe(true);
  expect(wantsEvent(named, { ...joined, movedPracticeId: 'prc_2' })).toBe(false);
});
