import * as z from 'zod/mini';
import { termsAccepted } from '../../domain/practices/practice.ts';
import { termsVersion } from '../../domain/practices/terms.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const acceptedTerms = z.object({ termsAccepted });
export type AcceptedTerms = z.infer<typeof acceptedTerms>;

export const acceptTermsRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/terms`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Accept the terms of live payments',
  description: 'Names the version that was shown. Production only.',
  params: practiceParams,
  body: z.strictObject({ version: z.literal(termsVersion) }),
  status: 200,
  response: acceptedTerms,
  problems: { ...memberProblems, ...bodyProblems },
} as const satisfies MemberRoute;
