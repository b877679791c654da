import * as z from 'zod/mini';
import { keySummary } from './api-key.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const listKeysRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/keys`,
  access: { role: 'viewer' },
  summary: 'List API keys',
  description: 'Includes expired and revoked keys. Never includes a secret.',
  params: practiceParams,
  status: 200,
  response: z.object({ keys: z.array(keySummary) }),
  problems: memberProblems,
} as const satisfies MemberRoute;
