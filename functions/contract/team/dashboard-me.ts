import * as z from 'zod/mini';
import { ofDashboard, signedInProblems, type DashboardRoute } from '../dashboard-route.ts';
import { bodyProblems } from '../problems.ts';
import { modes } from '../../domain/mode.ts';
import { roles } from '../../domain/team/member.ts';
import { isoTime } from '../../domain/time.ts';

const me = z.object({
  user: z.object({
    userId: z.string(),
    email: z.optional(z.string()),
    /** Absent if the issuer does not say. */
    authenticatedAt: z.optional(isoTime),
  }),
  mode: z.enum(modes),
  practices: z.array(z.object({ practiceId: z.string(), name: z.string(), role: z.enum(roles) })),
  /** The user may act in this role for the platform's practices. `practices` does not list them. */
  platforms: z.array(z.object({ platformId: z.string(), name: z.string(), role: z.enum(roles) })),
});
export type Me = z.infer<typeof me>;

/** `token` is the fragment of the link, without its `#`. */
const acceptInvitationBody = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(100)) });

const acceptedInvitation = z.object({ practiceId: z.string(), role: z.enum(roles) });
export type AcceptedInvitation = z.infer<typeof acceptedInvitation>;

export const meRoutes = {
  getMe: {
    ...ofDashboard('signed_in', 'GET', '/me'),
    summary: 'Who is signed in',
    description: 'The user and the practices and platforms they belong to, sorted by name.',
    response: me,
    problems: signedInProblems,
  },
  acceptInvitation: {
    ...ofDashboard('signed_in', 'POST', '/invitations/accept'),
    summary: 'Accept an invitation',
    description:
      'Makes the user a member. An invitation works once. A member with the same or a higher role keeps it, and the invitation stays open.',
    body: acceptInvitationBody,
    response: acceptedInvitation,
    problems: {
      ...signedInProblems,
      ...bodyProblems,
      invitation_not_found: { status: 404, title: 'This invitation no longer works.' },
    },
  },
} as const satisfies Readonly<Record<string, DashboardRoute>>;
