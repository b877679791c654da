import * as z from 'zod/mini';
import { listSessionsParameters, listSessionsQuery } from '../sessions/list-sessions.ts';
import { invalidCursor } from '../page.ts';
import { invalidRequest } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';
import { memberSession } from './session.ts';

export const memberSessionList = z.object({ data: z.array(memberSession), nextCursor: z.nullable(z.string()) });

export const listSessionsRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/sessions`,
  access: { role: 'viewer' },
  summary: 'List sessions',
  description:
    'Newest first, one page at a time. Eventually consistent. ' +
    'A page can be short or empty before the last one: only a `nextCursor` of `null` ends the list.',
  params: practiceParams,
  query: listSessionsQuery,
  parameters: listSessionsParameters,
  status: 200,
  response: memberSessionList,
  problems: { ...memberProblems, ...invalidRequest, ...invalidCursor },
} as const satisfies MemberRoute;
