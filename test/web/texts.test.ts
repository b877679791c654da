import { describe, expect, test } from 'vitest';
import { en } from '../../web/hosted-page/texts/en.ts';
import { bankPickerEn, bankPickerEs, sandboxBankEn, sandboxBankEs } from '../../web/hosted-page/texts/banks.ts';
import { es } from '../../web/hosted-page/texts/es.ts';

type Text = string | ((...values: never[]) => unknown);

function textsOf(texts: object, prefix = ''): Map<string, Text> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]: [string, Text | object]) =>
      typeof value === 'object' ? [...textsOf(value, `${prefix}${key}.`)] : [[`${prefix}${key}`, value] as const],
    ),
  );
}

const spoken = (text: Text | undefined, ...values: unknown[]) =>
  String(typeof text === 'function' ? text(...(values as never[])) : text);

const same: readonly string[] = [];

describe('the texts', () => {
  const english = textsOf({ ...en, bankPicker: bankPickerEn, sandboxBank: sandboxBankEn });
  const spanish = textsOf({ ...es, bankPicker: bankPickerEs, sandboxBank: sandboxBankEs });

  test('have the same keys in both languages', () => {
    expect([...spanish.keys()].sort()).toEqual([...english.keys()].sort());
    expect(english.size).toBeGreaterThan(80);
  });

  test.each([...english.keys()])('"%s" has words and all its values in both languages', (key) => {
    const [one, other] = [english.get(key), spanish.get(key)];
    expect(typeof other).toBe(typeof one);
    if (typeof one === 'function' && typeof other === 'function') expect(other.length).toBe(one.length);
    const values = typeof one === 'function' ? Array.from({ length: one.length }, (_, index) => `value-${index}`) : [];
    for (const text of [one, other]) {
      expect(spoken(text, ...values).trim()).not.toBe('');
      for (const value of values) expect(spoken(text, ...values)).toContain(value);
    }
    if (!same.includes(key)) expect(spoken(other, ...values)).not.toBe(spoken(one, ...values));
  });

  test('count tries in the singular and the plural', () => {
    expect([1, 2].map(en.attemptsLeft)).toEqual(['You have 1 try left.', 'You have 2 tries left.']);
    expect([1, 2].map(es.attemptsLeft)).toEqual(['Le queda 1 intento.', 'Le quedan 2 intentos.']);
  });
});
