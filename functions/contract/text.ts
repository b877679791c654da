import * as z from 'zod/mini';

/** U+200C and U+200D join letters; other format characters can deceive. */
const printable = /^(?:[^\p{C}\p{Zl}\p{Zp}]|[\u200c\u200d])*$/u;
const blank = /^[\p{Zs}\u200c\u200d]+$/u;

export function line(maximum: number) {
  return z.string().check(
    z.minLength(1),
    z.maxLength(maximum),
    z.regex(printable),
    z.refine((text) => !blank.test(text), { params: { code: 'required' } }),
  );
}

export const invoiceId = line(128);
