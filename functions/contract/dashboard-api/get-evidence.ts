import * as z from 'zod/mini';
import { evidence } from '../../domain/payments/evidence.ts';
import { managementProblems } from '../management-problems.ts';
import { sessionNotFound } from '../sessions/session.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';
import { sessionParams } from './session.ts';

const checkedEvidence = z.extend(evidence, { textMatchesAuthorizationId: z.boolean() });
export type CheckedEvidence = z.infer<typeof checkedEvidence>;

export const getEvidenceRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/sessions/{sessionId}/authorization`,
  access: { role: 'staff' },
  summary: "Show the patient's authorization",
  description: 'What the patient accepted, when and from where.',
  params: sessionParams,
  status: 200,
  response: checkedEvidence,
  problems: {
    ...memberProblems,
    ...sessionNotFound,
    authorization_not_found: managementProblems.authorization_not_found,
  },
} as const satisfies MemberRoute;
