import { describe, expect, it } from 'vitest';
import { givenTime, isoTime } from '../../functions/domain/time.ts';
import { givenTimePattern } from '../../lib/openapi/schemas.ts';

describe('a time from a caller', () => {
  it.each([
    ['2026-11-20T15:04:05.123Z', '2026-11-20T15:04:05.123Z'],
    ['2026-11-20T15:04:05Z', '2026-11-20T15:04:05.000Z'],
    ['2026-11-20T15:04:05+00:00', '2026-11-20T15:04:05.000Z'],
    ['2026-11-20T15:04:05.123456+00:00', '2026-11-20T15:04:05.123Z'],
    ['2026-11-20T20:34:05+05:30', '2026-11-20T15:04:05.000Z'],
    ['2026-11-20T23:04:05-08:00', '2026-11-21T07:04:05.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00:00+23:59', '1970-01-01T00:00:00.000Z'],
  ])('%s is %s in UTC', (given, time) => {
    expect(givenTime.parse(given)).toBe(time);
    expect(isoTime.parse(time)).toBe(time);
    expect(given).toMatch(new RegExp(givenTimePattern));
  });

  it.each([
    '2026-11-20T15:04:05',
    '2026-11-20T15:04:05 00:00',
    '2026-11-20T15:04:05+0000',
    '2026-11-20T15:04:05+00',
    '2026-11-20T15:04+00:00',
    '2026-11-20 15:04:05+00:00',
    '2026-11-20',
    'yesterday',
  ])('%s is refused', (given) => {
    expect(givenTime.safeParse(given).success).toBe(false);
    expect(given).not.toMatch(new RegExp(givenTimePattern));
  });
});
