import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute } from '../dashboard-route.ts';
import { managementProblems } from '../management-problems.ts';
import { bodyProblems } from '../problems.ts';
import { isoTime } from '../../domain/time.ts';
import { depositNeeds } from '../../domain/practices/deposit-needs.ts';
import { termsAccepted, termsVersion } from '../../domain/practices/practice.ts';

const acceptedTerms = z.object({ termsAccepted });
export type AcceptedTerms = z.infer<typeof acceptedTerms>;

const deposit = z.object({
  status: z.enum(['none', 'incomplete', 'in_review', 'ready', 'rejected']),
  /** The account's ID at the processor. */
  accountId: z.optional(z.string()),
  bankAccount: z.optional(z.object({ bankName: z.string(), last4: z.string() })),
  needs: z.array(z.enum(depositNeeds)),
  /** When the processor stops the account unless it gets what it needs. */
  deadline: z.optional(isoTime),
});
export type Deposit = z.infer<typeof deposit>;

const processorUnavailable = {
  processor_unavailable: managementProblems.processor_unavailable,
} as const;

export const liveGoingLiveRoutes = {
  acceptTerms: {
    ...aboutPractice({ role: 'admin', recentSignIn: true, ownMembersOnly: true }, 'POST', '/terms'),
    summary: 'Accept the terms of live payments',
    description: 'Names the version that was shown. Production only.',
    body: z.strictObject({ version: z.literal(termsVersion) }),
    response: acceptedTerms,
    problems: { ...memberProblems, ...bodyProblems },
  },
  getDeposit: {
    ...aboutPractice({ role: 'admin' }, 'GET', '/deposit'),
    summary: 'Show where payments are deposited',
    description: 'Asks the payment processor, which also says what it still needs. Production only.',
    response: deposit,
    problems: { ...memberProblems, ...processorUnavailable },
  },
  startDepositOnboarding: {
    ...aboutPractice({ role: 'admin', recentSignIn: true, ownMembersOnly: true }, 'POST', '/deposit/onboarding'),
    summary: 'Set up where payments are deposited',
    description: "Returns the address of the payment processor's own page, which works once. Production only.",
    response: z.object({ url: z.url() }),
    problems: { ...memberProblems, ...processorUnavailable },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
