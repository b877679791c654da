import { describe, expect, test } from 'vitest';
import { centsOf } from '../../../web/dashboard/format.ts';
import { spreadJson } from '../../../web/dashboard/exact-json.ts';

describe('an amount as people type it', () => {
  test.each([
    ['182.50', 18250],
    ['182.5', 18250],
    ['182', 18200],
    ['182.', 18200],
    ['.99', 99],
    ['$1,182.07', 118207],
    [' 19.99 ', 1999],
    ['999999.99', 99999999],
  ])('%j is %i cents', (text, cents) => {
    expect(centsOf(text)).toBe(cents);
  });

  test.each(['', '.', '$', '12,50', '1.234', '-5', '1e3', '12 50', '1,1820'])('%j is not an amount', (text) => {
    expect(centsOf(text)).toBeUndefined();
  });
});

describe('JSON on several lines', () => {
  test('looks as indented JSON does', () => {
    const value = { id: 'evt_1', data: { a: [1, 2], empty: {}, none: [], text: 'a "b": {c}, [d]' } };
    expect(spreadJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  test('keeps digits and escapes that parsing would change', () => {
    expect(spreadJson(String.raw`{"a":1.10,"b":"\u00e9"}`)).toBe('{\n  "a": 1.10,\n  "b": "\\u00e9"\n}');
  });

  test('leaves what is not JSON alone', () => {
    expect(spreadJson('<html>{"a":1</html>')).toBe('<html>{"a":1</html>');
  });
});
