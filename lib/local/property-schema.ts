import * as z from 'zod/mini';

export function inert(reason: string) {
  return z.optional(z.unknown()).check(z.describe(reason));
}

export const text = z.optional(z.string());
export const flag = z.optional(z.boolean());
export const wholeNumber = z.optional(z.int());

export const tags = inert('tags are for bills and searches');
