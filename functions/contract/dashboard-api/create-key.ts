import * as z from 'zod/mini';
import { newKey } from '../practices.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const createdKey = z.object({ keyId: z.string(), apiKey: z.string() });

export const createKeyRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/keys`,
  access: { role: 'admin', recentSignIn: 'live_mode' },
  summary: 'Create an API key',
  description: 'The key is shown only now.',
  params: practiceParams,
  body: newKey,
  status: 201,
  response: createdKey,
  problems: { ...memberProblems, ...bodyProblems },
} as const satisfies MemberRoute;
