import { expect, test } from 'vitest';
import { invoiceIdentity } from '../../../functions/domain/sessions/session.ts';

test.each([
  ['INV 7', 'INV\u00a07'],
  ['INV 7', 'INV  7'],
  ['INV 7', 'INV\t7'],
  ['INV 7', 'INV\u20097'],
  ['INV 7', '\u3000INV \u00a0 7 '],
  ['INV-7', ' INV-7'],
  ['INV-7', 'INV-7\u00a0'],
  ['INV-7', 'INV\u200b-7'],
  ['INV-7', 'INV-7\ufeff'],
  ['INV-7', 'INV\u00ad-7'],
  ['INV-7', 'INV-7\ufe0f'],
  ['INV-7', 'INV\u034f-7'],
  ['INV-7', 'INV-7\u3164'],
  ['Caf\u00e9-1', 'Cafe\u0301-1'],
  ['Caf\u00e9-1', 'Cafe\u200d\u0301-1'],
  ['\u1100\u1161'.normalize('NFC'), '\u1100\u1161'],
])('%j is also written %j', (identity, spelling) => {
  expect(invoiceIdentity(spelling)).toBe(identity);
  expect(invoiceIdentity(identity)).toBe(identity);
});

test.each([
  ['INV-7', 'inv-7'],
  ['INV-7', 'INV7'],
  ['INV 7', 'INV7'],
  ['INV-07', 'INV-7'],
])('%j and %j are two invoices', (one, other) => {
  expect(invoiceIdentity(one)).not.toBe(invoiceIdentity(other));
});
