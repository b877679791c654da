import * as z from 'zod/mini';
import type { Author } from '../../functions/domain/audit-entry.ts';
import { parseInput } from '../../functions/practices/parse-input.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

/** Shown with the usage. */
export class UsageError extends OperatorError {}

export interface Command {
  readonly options: readonly string[];
  /** Whether it can change the endpoint's URL or secret. */
  readonly changesEndpoint: boolean;
  /** `typed` are the options as typed: `--link-lifetime-days 7` is `link-lifetime-days: '7'`. */
  run(stack: OperatedStack, typed: Readonly<Record<string, unknown>>, now: number): Promise<object>;
}

/** The schemas only convert texts; the use case checks bounds. */
export function command<Shape extends z.core.$ZodShape>(
  shape: Shape,
  run: (
    stack: OperatedStack,
    options: z.output<z.ZodMiniObject<Shape, z.core.$strict>>,
    now: number,
  ) => Promise<object>,
  { changesEndpoint = false } = {},
): Command {
  const schema = z.strictObject(shape);
  return {
    options: Object.keys(shape),
    changesEndpoint,
    run: async (stack, typed, now) => run(stack, parseInput(schema, typed), now),
  };
}

/** Of every change that the command makes. */
export const author: Author = { kind: 'operator' };

export const id = z.string().check(z.minLength(1), z.maxLength(200));
export const text = z.optional(z.string());
export const ofPractice = { practice: id };
export const ofEndpoint = { practice: id, endpoint: id };

export const wholeNumber = z.optional(
  z.pipe(z.string().check(z.regex(/^\d{1,9}$/, 'Use a whole number.')), z.transform(Number)),
);

export const onOrOff = z.optional(
  z.pipe(
    z.enum(['on', 'off']),
    z.transform((typed) => typed === 'on'),
  ),
);

/** Values with commas between them. */
export const list = z.optional(
  z.pipe(
    z.string(),
    z.transform((typed) => typed.split(',').map((item) => item.trim())),
  ),
);
