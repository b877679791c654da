import { describe, expect, it } from 'vitest';
import { preferredLocale } from '../../functions/domain/locale.ts';

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
