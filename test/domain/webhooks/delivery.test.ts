import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  attemptAfter,
  attemptErrors,
  fitsInRow,
  nextStep,
  retryAfterDelay,
  type Delivery,
} from '../../../functions/domain/webhooks/delivery.ts';
import { debitWait, webhookWait } from '../../../functions/domain/webhooks/retry-schedule.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const aDelivery: Delivery = {
  eventId: 'evt_1',
  endpointId: 'whe_1',
  practiceId: 'prc_1',
  eventType: 'session.payment.succeeded',
  status: 'pending',
  attempts: 0,
  attemptsBefore: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
};

describe('the step after an attempt', () => {
  it.each([200, 201, 204, 299])('does not exist after %i', (statusCode) => {
    expect(nextStep({ statusCode }, 1, now, 0)).toEqual({ status: 'delivered' });
  });

  it.each([500, 502, 503, 504, 599, 408, 425, 429])('is a retry after %i', (statusCode) => {
    expect(nextStep({ statusCode }, 1, now, 0)).toEqual({
      status: 'pending',
      nextAttemptAt: now + 5000,
      byTicket: true,
    });
  });

  const unreadable = ['unreadable_response', 'response_header_too_large'] as const;

  it.each(unreadable)('is two retries after an answer without a status: %s', (error) => {
    for (const retryPolicy of ['standard', 'all'] as const) {
      const statuses = [1, 2, 3].map((attempt) => nextStep({ error }, attempt, now, 0, retryPolicy).status);
      expect(statuses).toEqual(['pending', 'pending', 'failed']);
    }
  });

  it.each(unreadable)('follows the status if only that was read: %s', (error) => {
    expect(nextStep({ error, statusCode: 204 }, 1, now, 0)).toEqual({ status: 'delivered' });
    expect(nextStep({ error, statusCode: 503 }, 9, now, 0)).toMatchObject({ status: 'pending' });
    expect(nextStep({ error, statusCode: 404 }, 1, now, 0)).toEqual({ status: 'failed', gone: false });
  });

  it.each(attemptErrors.filter((error) => error !== 'blocked_address' && !unreadable.some((each) => each === error)))(
    'is a retry after a %s',
    (error) => {
      expect(nextStep({ error }, 2, now, 0)).toEqual({
        status: 'pending',
        nextAttemptAt: now + 300_000,
        byTicket: true,
      });
    },
  );

  // https://github.com/hookdeck/outpost: httphelper.go counts every status below 400 as a success, even 304.
  it.each([199, 300, 301, 304, 400, 401, 403, 404, 409, 422])('is failure after %i', (statusCode) => {
    expect(nextStep({ statusCode }, 1, now, 0)).toEqual({ status: 'failed', gone: false });
  });

  it('is a retry after anything but 2xx and 410 if the endpoint retries all', () => {
    expect([301, 404, 422].map((statusCode) => nextStep({ statusCode }, 1, now, 0, 'all').status)).toEqual([
      'pending',
      'pending',
      'pending',
    ]);
    expect([200, 410].map((statusCode) => nextStep({ statusCode }, 1, now, 0, 'all').status)).toEqual([
      'delivered',
      'failed',
    ]);
    expect(nextStep({ statusCode: 404 }, 10, now, 0, 'all').status).toBe('failed');
  });

  it('is failure after 410, which also disables the endpoint', () => {
    expect(nextStep({ statusCode: 410 }, 1, now, 0)).toEqual({ status: 'failed', gone: true });
  });

  it('is failure for a blocked address', () => {
    expect(nextStep({ error: 'blocked_address' }, 1, now, 0)).toEqual({ status: 'failed', gone: false });
  });

  it('is failure after the tenth attempt', () => {
    expect(nextStep({ statusCode: 500 }, 10, now, 0)).toEqual({ status: 'failed', gone: false });
  });

  it('is left to the sweep if it is more than 15 minutes away', () => {
    expect(attemptAfter(900_000, now)).toEqual({ nextAttemptAt: now + 900_000, byTicket: true });
    expect(attemptAfter(900_001, now)).toEqual({ nextAttemptAt: now + 900_001, byTicket: false });
    expect(nextStep({ statusCode: 500 }, 3, now, 0)).toEqual({
      status: 'pending',
      nextAttemptAt: now + 1_800_000,
      byTicket: false,
    });
  });

  // https://github.com/svix/svix-webhooks: worker.rs never reaches its branch for 429.
  it('honors Retry-After with 429 and 503, but is never earlier than scheduled', () => {
    expect(nextStep({ statusCode: 503, retryAfter: '120' }, 1, now, 0)).toMatchObject({
      nextAttemptAt: now + 120_000,
      byTicket: true,
    });
    expect(nextStep({ statusCode: 429, retryAfter: '120' }, 1, now, 0)).toMatchObject({ nextAttemptAt: now + 120_000 });
    expect(nextStep({ statusCode: 429, retryAfter: '1' }, 1, now, 0)).toMatchObject({ nextAttemptAt: now + 5000 });
    expect(nextStep({ statusCode: 500, retryAfter: '120' }, 1, now, 0)).toMatchObject({ nextAttemptAt: now + 5000 });
    expect(nextStep({ statusCode: 503, retryAfter: '3600' }, 1, now, 0)).toMatchObject({ byTicket: false });
  });
});

describe('an attempt is kept in the row of its delivery', () => {
  const url = 'https://receiver.example/';
  const delivered = { status: 'delivered' } as const;
  const made = (responseExcerpt?: string) => ({
    url,
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMilliseconds: 5,
    responseTruncated: false,
    ...(responseExcerpt !== undefined && { responseExcerpt }),
  });
  const newDelivery = { ...aDelivery, attempts: 0 };

  it('if it is the only one, succeeded, and its address and response have at most 256 bytes', () => {
    expect(fitsInRow(newDelivery, made(), delivered)).toBe(true);
    expect(fitsInRow(newDelivery, made('é'.repeat(115)), delivered)).toBe(true);
    expect(fitsInRow(newDelivery, made(`${'é'.repeat(115)}!`), delivered)).toBe(true);
    expect(fitsInRow(newDelivery, made('é'.repeat(116)), delivered)).toBe(false);
  });

  it('but not after a failed attempt, and not if it failed', () => {
    expect(fitsInRow({ ...newDelivery, attempts: 1 }, made(), delivered)).toBe(false);
    expect(fitsInRow(newDelivery, made(), { status: 'failed', gone: false })).toBe(false);
    expect(fitsInRow(newDelivery, made(), { status: 'pending', ...attemptAfter(5000, now) })).toBe(false);
  });
});

// Forms from https://github.com/svix/svix-webhooks (worker.rs) and https://github.com/hook0/hook0 (main.rs).
describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['Fri, 20 Nov 2026 10:02:00 GMT', 120_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['-5', 0],
    ['soon', 0],
    ['', 0],
    ['1.5', 0],
    ['1e9', 0],
    ['120 s', 0],
    ['retry in 2100', 0],
    ['2100-01-01', 0],
    ['Friday, 20-Nov-26 10:02:00 GMT', 120_000],
    ['Fri, 20 Nov 2026 10:02:00', 0],
    ['1000000000', 86_400_000],
    [undefined, 0],
  ])('%s is %i ms', (header, delay) => {
    expect(retryAfterDelay(header, now)).toBe(delay);
  });
});

describe('retry schedule', () => {
  describe('the schedule of webhook attempts', () => {
    // https://github.com/frain-dev/convoy/issues/2110: each wait was one step behind.
    it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and ends after the tenth attempt', () => {
      const waits = Array.from({ length: 10 }, (_, index) => webhookWait(index + 1, 0));
      expect(waits).toEqual(
        [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
          .map((seconds) => seconds * 1000)
          .concat([undefined] as never[]),
      );
    });

    it('takes 75 h 35 min 5 s without jitter', () => {
      const total = [1, 2, 3, 4, 5, 6, 7, 8, 9].reduce((sum, attempt) => sum + (webhookWait(attempt, 0) ?? 0), 0);
      expect(total).toBe(272_105_000);
    });

    it.each([
      [1, 1],
      [2, 15],
      [3, 90],
      [4, 360],
      [5, 450],
      [9, 450],
    ])('after attempt %i adds %i s of jitter for a random number in the middle', (attempt, seconds) => {
      expect((webhookWait(attempt, 0.5) ?? 0) - (webhookWait(attempt, 0) ?? 0)).toBe(seconds * 1000);
    });

    it('adds jitter of at most a tenth, but up to 2 s and never over 15 minutes', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 9 }),
          fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
          (attempt, random) => {
            const base = webhookWait(attempt, 0) ?? 0;
            const jitter = (webhookWait(attempt, random) ?? 0) - base;
            expect(jitter).toBeGreaterThanOrEqual(0);
            expect(jitter).toBeLessThanOrEqual(Math.min(Math.max(2000, base / 10), 900_000));
          },
        ),
      );
    });
  });

  describe('the schedule of unknown debits', () => {
    it('waits 30 s, 2 min, 10 min and then an hour each time', () => {
      expect([1, 2, 3, 4, 5, 50].map(debitWait)).toEqual([30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000]);
    });
  });
});
