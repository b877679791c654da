import * as z from 'zod/mini';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const revokedInvitation = z.object({ invitationId: z.string() });

export const revokeInvitationRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/team/invitations/{invitationId}/revoke`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Revoke an invitation',
  description: 'Takes no body. Its link stops working.',
  params: z.extend(practiceParams, { invitationId: z.string() }),
  status: 200,
  response: revokedInvitation,
  problems: {
    ...memberProblems,
    invitation_not_found: { status: 404, title: 'This invitation no longer works.' },
  },
} as const satisfies MemberRoute;
