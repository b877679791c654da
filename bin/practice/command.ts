import * as z from 'zod/mini';
import { OperatorError, type OperatedStack } from './stack.ts';

/** The command line is wrong; the usage is shown beside its message. */
export class UsageError extends OperatorError {}

export interface Command {
  readonly options: readonly string[];
  run(name: string, stack: OperatedStack, typed: Record<string, unknown>, now: number): Promise<object>;
}

/** A command and the schema of its options as typed: `--link-lifetime-days 7` is `link-lifetime-days: '7'`. */
export function command<Shape extends z.core.$ZodShape>(
  shape: Shape,
  run: (
    stack: OperatedStack,
    options: z.output<z.ZodMiniObject<Shape, z.core.$strict>>,
    now: number,
  ) => Promise<object>,
): Command {
  const schema = z.strictObject(shape);
  return {
    options: Object.keys(shape),
    run: async (name, stack, typed, now) => {
      const parsed = z.safeParse(schema, typed);
      if (parsed.success) return run(stack, parsed.data, now);
      const faulty = parsed.error.issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys' ? issue.keys : [`${String(issue.path[0])}${allowed(issue)}`],
      );
      throw new UsageError(
        `Missing or invalid for ${name}: ${[...new Set(faulty)].map((option) => `--${option}`).join(', ')}.`,
      );
    },
  };
}

function allowed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return ` (allowed: ${issue.values.join(', ')})`;
    case 'too_small':
      return ` (at least ${issue.minimum})`;
    case 'too_big':
      return ` (at most ${issue.maximum})`;
    case 'custom':
      return issue.params?.['hint'] === undefined ? '' : ` (${String(issue.params['hint'])})`;
    default:
      return '';
  }
}

/** An id, or the name of a file. */
export const text = z.string().check(z.minLength(1), z.maxLength(200));

export const ofPractice = { practice: text };
export const ofEndpoint = { practice: text, endpoint: text };

export function wholeNumber(schema: z.ZodMiniType<number, number>) {
  return z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.pipe(z.transform(Number), schema));
}

/** Values with commas between them. */
export function listOf<Value>(schema: z.ZodMiniType<Value, string[]>) {
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((typed) => typed.split(',').map((item) => item.trim())),
    ),
    schema,
  );
}
