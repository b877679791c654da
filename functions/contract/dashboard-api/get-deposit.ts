import * as z from 'zod/mini';
import { depositNeeds } from '../../domain/payments/deposit-need.ts';
import { managementProblems } from '../management-problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const deposit = z.object({
  status: z.enum(['none', 'incomplete', 'in_review', 'ready']),
  /** The account's ID at the processor. */
  accountId: z.optional(z.string()),
  bankAccount: z.optional(z.object({ bankName: z.string(), last4: z.string() })),
  needs: z.array(z.enum(depositNeeds)),
});
export type Deposit = z.infer<typeof deposit>;

export const processorUnavailable = {
  processor_unavailable: managementProblems.processor_unavailable,
} as const;

export const getDepositRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/deposit`,
  access: { role: 'admin' },
  summary: 'Show where payments are deposited',
  description: 'Asks the payment processor, which also says what it still needs. Production only.',
  params: practiceParams,
  status: 200,
  response: deposit,
  problems: { ...memberProblems, ...processorUnavailable },
} as const satisfies MemberRoute;
