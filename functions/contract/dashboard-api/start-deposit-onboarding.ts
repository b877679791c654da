import * as z from 'zod/mini';
import { processorUnavailable } from './get-deposit.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const startDepositOnboardingRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/deposit/onboarding`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Set up where payments are deposited',
  description: "Returns the address of the payment processor's own page, which works once. Production only.",
  params: practiceParams,
  status: 200,
  response: z.object({ url: z.url() }),
  problems: { ...memberProblems, ...processorUnavailable },
} as const satisfies MemberRoute;
