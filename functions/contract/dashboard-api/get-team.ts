import * as z from 'zod/mini';
import { roles } from '../../domain/team/role.ts';
import { isoTime } from '../../domain/time.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const team = z.object({
  members: z.array(
    z.object({
      userId: z.string(),
      email: z.optional(z.string()),
      role: z.enum(roles),
      createdAt: isoTime,
      isYou: z.boolean(),
    }),
  ),
  /** Only invitations that can still be accepted. */
  invitations: z.array(
    z.object({
      invitationId: z.string(),
      email: z.string(),
      role: z.enum(roles),
      createdAt: isoTime,
      expiresAt: isoTime,
      /** The inviter's email address. Absent if the operator invited. */
      createdBy: z.optional(z.string()),
    }),
  ),
});
export type Team = z.infer<typeof team>;

export const getTeamRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/team`,
  access: { role: 'viewer' },
  summary: 'List members and invitations',
  description: 'Strongly consistent for members; a new invitation can take a moment to show.',
  params: practiceParams,
  status: 200,
  response: team,
  problems: memberProblems,
} as const satisfies MemberRoute;
