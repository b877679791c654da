import * as z from 'zod/mini';
import { memberProblems, practiceParams } from './dashboard-route.ts';

export const memberParams = z.extend(practiceParams, { userId: z.string() });

export const memberChangeProblems = {
  ...memberProblems,
  member_not_found: { status: 404, title: 'There is no such member.' },
  last_admin: { status: 409, title: 'A practice needs an admin.' },
} as const;
