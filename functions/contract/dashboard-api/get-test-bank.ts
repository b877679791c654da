import * as z from 'zod/mini';
import { managementProblems } from '../management-problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const testBank = z.object({
  password: z.string(),
  users: z.array(z.object({ scenario: z.string(), username: z.string() })),
});
export type TestBank = z.infer<typeof testBank>;

export const getTestBankRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/test-bank`,
  access: { role: 'viewer' },
  summary: 'Show the test bank',
  description: 'Its password and users. Sandbox only.',
  params: practiceParams,
  status: 200,
  response: testBank,
  problems: { ...memberProblems, test_bank_not_found: managementProblems.test_bank_not_found },
} as const satisfies MemberRoute;
