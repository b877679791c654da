import * as z from 'zod/mini';
import { roles } from '../../domain/team/role.ts';
import { isoTime } from '../../domain/time.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const newInvitation = z.strictObject({
  email: z.email().check(z.maxLength(254)),
  role: z.enum(roles),
});

const createdInvitation = z.object({
  invitationId: z.string(),
  email: z.string(),
  role: z.enum(roles),
  expiresAt: isoTime,
  /** Shown only once. */
  invitationUrl: z.url(),
  /** If false, the inviter must send the link. */
  mailed: z.boolean(),
  /**
   * Whether Cognito creates an account, with a temporary password by mail, for someone who has none.
   * False with another issuer.
   */
  createsAccount: z.boolean(),
});
export type CreatedInvitation = z.infer<typeof createdInvitation>;

export const inviteMemberRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/team/invitations`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Invite someone',
  description: 'Creates a link that makes whoever first accepts it a member. It works once, for 7 days.',
  params: practiceParams,
  body: newInvitation,
  status: 201,
  response: createdInvitation,
  problems: { ...memberProblems, ...bodyProblems },
} as const satisfies MemberRoute;
