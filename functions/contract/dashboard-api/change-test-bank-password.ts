import { managementProblems } from '../management-problems.ts';
import { testBank } from './get-test-bank.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const changeTestBankPasswordRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/test-bank/password`,
  access: { role: 'admin' },
  summary: 'Issue a new test bank password',
  description: 'The old one stops working. Sandbox only.',
  params: practiceParams,
  status: 200,
  response: testBank,
  problems: { ...memberProblems, test_bank_not_found: managementProblems.test_bank_not_found },
} as const satisfies MemberRoute;
