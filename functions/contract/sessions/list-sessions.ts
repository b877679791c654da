import * as z from 'zod/mini';
import { givenTime } from '../../domain/time.ts';
import { sessionStatuses } from '../../domain/sessions/transitions.ts';
import { invalidRequest } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { line } from '../text.ts';
import { asArray, invalidCursor, pageParameters, pageQuery } from '../page.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { sessionStatusBody } from './session.ts';

export const listSessionsQuery = z.strictObject({
  status: z.optional(z.pipe(asArray, z.array(z.enum(sessionStatuses)))),
  invoiceId: z.optional(line(128)),
  createdSince: z.optional(givenTime),
  createdBefore: z.optional(givenTime),
  returned: z.optional(z.literal('true')),
  ...pageQuery,
});

export const listSessionsParameters = {
  status: 'Only sessions in this state. Can be repeated: `status=pending&status=processing`.',
  invoiceId: 'Only sessions for this invoice.',
  createdSince: 'Only sessions created at this time or later.',
  createdBefore: 'Only sessions created before this time.',
  returned: '`true`: only sessions whose debit was returned by the bank.',
  ...pageParameters,
};

export const sessionList = z.object({ data: z.array(sessionStatusBody), nextCursor: z.nullable(z.string()) });

export const listSessionsRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/api/practice/sessions',
  scope: 'sessions:read',
  summary: 'List sessions',
  description:
    "Newest first, one page at a time. Each item is the same object as the session's status. " +
    'A page can be short or empty before the last one: only a `nextCursor` of `null` ends the list. ' +
    'Eventually consistent: a change can take a moment to show. An expired session leaves `pending` immediately and can appear in `cancelled` a few minutes later.',
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
