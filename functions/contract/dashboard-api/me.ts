import * as z from 'zod/mini';
import { modes } from '../../domain/mode.ts';
import { roles } from '../../domain/team/role.ts';
import { isoTime } from '../../domain/time.ts';
import { takesNothing } from '../route.ts';
import { signedInProblems, type DashboardRoute } from './dashboard-route.ts';

const me = z.object({
  user: z.object({
    userId: z.string(),
    email: z.optional(z.string()),
    /** Absent if the issuer does not say. */
    authenticatedAt: z.optional(isoTime),
  }),
  mode: z.enum(modes),
  practices: z.array(
    z.object({ practiceId: z.string(), name: z.string(), role: z.enum(roles), wantsAlerts: z.boolean() }),
  ),
});
export type Me = z.infer<typeof me>;

export const meRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/api/dashboard/me',
  access: 'signed_in',
  summary: 'Who is signed in',
  description: 'The user and the practices they belong to, sorted by name.',
  status: 200,
  response: me,
  problems: signedInProblems,
} as const satisfies DashboardRoute;
