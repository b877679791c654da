import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute } from '../dashboard-route.ts';
import { managementProblems } from '../management-problems.ts';

export const testBank = z.object({
  password: z.string(),
  users: z.array(z.object({ scenario: z.string(), username: z.string() })),
});
export type TestBank = z.infer<typeof testBank>;

export const sandboxTestBankRoutes = {
  getTestBank: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/test-bank'),
    summary: 'Show the test bank',
    description: 'Its password and users. Sandbox only.',
    response: testBank,
    problems: { ...memberProblems, test_bank_not_found: managementProblems.test_bank_not_found },
  },
  changeTestBankPassword: {
    ...aboutPractice({ role: 'admin' }, 'POST', '/test-bank/password'),
    summary: 'Issue a new test bank password',
    description: 'The old one stops working. Sandbox only.',
    response: testBank,
    problems: { ...memberProblems, test_bank_not_found: managementProblems.test_bank_not_found },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
