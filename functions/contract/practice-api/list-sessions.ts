import * as z from 'zod/mini';
import { sessionStatuses } from '../../domain/transitions.ts';
import { invalidRequest, type Problems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { invoiceId } from '../text.ts';
import { keyProblems, type PracticeRoute } from './practice-route.ts';
import { sessionStatusBody } from './session.ts';

/** Given once, a parameter is not an array yet. */
const asArray = z.transform((given) => (Array.isArray(given) ? given : [given]));

export const listSessionsQuery = z.strictObject({
  status: z.optional(z.pipe(asArray, z.array(z.enum(sessionStatuses)))),
  invoiceId: z.optional(invoiceId),
  limit: z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/)),
      z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(100))),
    ),
    25,
  ),
  cursor: z.optional(z.string().check(z.maxLength(100))),
});

export const listSessionsParameters = {
  status: 'Only sessions in this state. Can be repeated: `status=pending&status=processing`.',
  invoiceId: 'Only sessions for this invoice.',
  limit: 'The page size.',
  cursor: 'The `nextCursor` of the previous page. Valid only with the same filters.',
};

export const sessionList = z.object({ data: z.array(sessionStatusBody), nextCursor: z.nullable(z.string()) });

export const invalidCursor = {
  invalid_cursor: { status: 400, title: 'The cursor is not valid.' },
} as const satisfies Problems;

export const listSessionsRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/api/practice/sessions',
  scope: 'sessions:read',
  summary: 'List sessions',
  description:
    "Newest first, one page at a time. Each item is the same object as the session's status. " +
    'Eventually consistent: a change can take a moment to show. An expired session leaves `pending` immediately and can appear in `cancelled` up to a minute later.',
  query: listSessionsQuery,
  parameters: listSessionsParameters,
  status: 200,
  response: sessionList,
  problems: {
    ...keyProblems,
    ...invalidRequest,
    ...invalidCursor,
  },
} as const satisfies PracticeRoute;
