import * as z from 'zod/mini';
import { memberProblems, practiceParams } from './dashboard-route.ts';

export const memberParams = z.extend(practiceParams, { userId: z.string() });

export const memberNotFound = {
  member_not_found: { status: 404, title: 'There is no such member.' },
} as const;

export const memberChangeProblems = {
  ...memberProblems,
  ...memberNotFound,
  last_admin: { status: 409, title: 'A practice needs an admin.' },
} as const;
