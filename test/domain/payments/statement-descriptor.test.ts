import { describe, expect, it } from 'vitest';
import { statementDescriptor } from '../../../functions/domain/payments/statement-descriptor.ts';

describe('the text on the bank statement', () => {
  it.each([
    ['Lakeside Family Practice', 'LAKESIDE FAMILY'],
    ['Bay Dental', 'BAY DENTAL'],
    ["O'Brien & Sons, M.D.", 'OBRIEN SONS M D'],
    ['Clínica Peñalosa', 'CLINICA PENALOSA'],
    ['1st Street Orthopedics', '1ST STREET ORTHO'],
    ['  Straße  ', 'STRASSE'],
    ['山田クリニック', 'INVOICE PAYMENT'],
    ['—', 'INVOICE PAYMENT'],
    ['24/7 365', 'INVOICE PAYMENT'],
    ['Dr. A', 'DR A PAYMENT'],
  ])('of %s is %s', (name, text) => {
    expect(statementDescriptor(name)).toBe(text);
    expect(text).toMatch(/^[A-Z0-9](?:[A-Z0-9 ]{0,14}[A-Z0-9])?$/);
  });
});
