import * as z from 'zod/mini';
import type { Problems } from './problems.ts';

/** The query parameters of every paginated list. */
export const pageQuery = {
  limit: z._default(
    z.pipe(
      z.string().check(z.regex(/^-?\d+$/)),
      z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(100))),
    ),
    25,
  ),
  cursor: z.optional(z.string().check(z.maxLength(100))),
};

export const pageParameters = {
  limit: 'The page size.',
  cursor: 'The `nextCursor` of the previous page. Valid only with the same filters.',
};

export const invalidCursor = {
  invalid_cursor: { status: 400, title: 'The cursor is not valid.' },
} as const satisfies Problems;

/** A parameter that is sent only once arrives as a string. */
export const asArray = z.transform((given) => (Array.isArray(given) ? given : [given]));
