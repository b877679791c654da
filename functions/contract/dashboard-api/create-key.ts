import * as z from 'zod/mini';
import { managementProblems } from '../management-problems.ts';
import { newKey } from '../practices/keys.ts';
import { bodyProblems, practiceClosed } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const createdKey = z.object({ keyId: z.string(), apiKey: z.string() });

export const createKeyRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/keys`,
  access: { role: 'admin', recentSignIn: 'live_mode' },
  summary: 'Create an API key',
  description: 'The key is shown only once. The first live key requires a practice that is ready for live payments.',
  params: practiceParams,
  body: newKey,
  status: 201,
  response: createdKey,
  problems: {
    ...memberProblems,
    ...bodyProblems,
    ...practiceClosed,
    not_ready_for_live: managementProblems.not_ready_for_live,
  },
} as const satisfies MemberRoute;
