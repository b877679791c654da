import * as z from 'zod/mini';
import { roles } from '../../domain/team/role.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { signedInProblems, type DashboardRoute } from './dashboard-route.ts';

/** `token` is the fragment of the link, without its `#`. */
const acceptInvitationBody = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(100)) });

const acceptedInvitation = z.object({ practiceId: z.string(), role: z.enum(roles) });
export type AcceptedInvitation = z.infer<typeof acceptedInvitation>;

export const acceptInvitationRoute = {
  ...takesNothing,
  method: 'POST',
  path: '/api/dashboard/invitations/accept',
  access: 'signed_in',
  summary: 'Accept an invitation',
  description:
    'Makes the user a member. An invitation works once. A member with the same or a higher role keeps it, and the invitation stays open.',
  body: acceptInvitationBody,
  status: 200,
  response: acceptedInvitation,
  problems: {
    ...signedInProblems,
    ...bodyProblems,
    invitation_not_found: { status: 404, title: 'This invitation no longer works.' },
  },
} as const satisfies DashboardRoute;
