import * as z from 'zod/mini';
import { requestProblem } from '../contract/request-errors.ts';

/** The fields of a schema with unchecked values. */
export type Unchecked<Schema extends z.core.$ZodType> = { readonly [Name in keyof z.input<Schema>]: unknown };

/** Throws the Problem that a request with this body would get, with a message that says what is allowed. */
export function parseInput<Schema extends z.core.$ZodType>(schema: Schema, input: object): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { error: whatIsAllowed, reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['body', ...issue.path] }));
  throw requestProblem(issues, z.object({ body: schema }));
}

function whatIsAllowed(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `Use one of: ${issue.values.join(', ')}.`;
    case 'too_big':
      return `Use at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}.`;
    case 'too_small':
      return issue.origin === 'string' ? '' : `Use at least ${issue.minimum}.`;
    default:
      return '';
  }
}
