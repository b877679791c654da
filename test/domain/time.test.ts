import { describe, expect, it } from 'vitest';
import { givenTime, isoTime } from '../../functions/domain/time.ts';
import { givenTimePattern } from '../../lib/openapi/schemas.ts';
import { due, dueShards, sweepWait } from '../../functions/domain/due.ts';
import { preferredLocale } from '../../functions/domain/locale.ts';

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

describe('due', () => {
  const hours = (count: number) => count * 3_600_000;

  describe('due work', () => {
    it('is left alone by the sweep for 2 minutes, then twice as long each time, at most 6 hours', () => {
      expect([1, 2, 3, 7, 8, 9, 50].map(sweepWait)).toEqual(
        [2, 4, 8, 128, 256, 360, 360].map((minutes) => minutes * 60_000),
      );
      expect(sweepWait(50)).toBe(hours(6));
    });

    it('is spread over the eight shards of its duty, always the same for a row', () => {
      const shards = dueShards('delivery');
      expect(shards).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((shard) => `delivery#${shard}`));
      const at = Date.parse('2026-11-20T10:00:00.000Z');
      const used = Array.from({ length: 200 }, (_, index) => due('delivery', `evt_${index}`, at).dueShard);
      expect(new Set(used)).toEqual(new Set(shards));
      expect(due('expiry', 'ses_1', at)).toEqual(due('expiry', 'ses_1', at));
      expect(due('expiry', 'ses_1', at).dueAt).toBe('2026-11-20T10:00:00.000Z');
    });
  });
});

describe('the preferred language', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['ES-mx', 'es'],
    ['es-419,es;q=0.9,en;q=0.8', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['en;q=0.7, es;q=0.8', 'es'],
    ['es;q=0.8, en;q=0.8', 'es'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['fr, es;q=0.1', 'es'],
    ['es;q=0', 'en'],
    ['en;q=0, *', 'es'],
    ['*', 'en'],
    ['es;q=0.5, *;q=0.9', 'en'],
    ['fr, *;q=0.1, es;q=0.05', 'en'],
    ['est', 'en'],
    ['es;q=2, en;q=0.1', 'en'],
    ['es;q=0.8888, en;q=0.1', 'en'],
    ['es ; q=1.000 , en', 'es'],
    [';;,,;q=,=;', 'en'],
  ])('of %j is %s', (header, locale) => {
    expect(preferredLocale(header)).toBe(locale);
  });
});
