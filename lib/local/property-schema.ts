import * as z from 'zod';

export function inert(reason: string) {
  return z.unknown().optional().check(z.describe(reason));
}

export const text = z.string().optional();
export const flag = z.boolean().optional();
export const wholeNumber = z.int().optional();
