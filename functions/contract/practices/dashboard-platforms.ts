import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute } from '../dashboard-route.ts';
import { managementProblems } from '../management-problems.ts';
import { invalidRequest } from '../problems.ts';
import { matching } from '../text.ts';
import { isoTime } from '../../domain/time.ts';
import { linkSteps } from './dashboard-settings.ts';

const practiceOfPlatform = z.object({
  practiceId: z.string(),
  name: z.string(),
  platformSince: isoTime,
  suspendedAt: z.optional(isoTime),
  closedAt: z.optional(isoTime),
  debitsStoppedAt: z.optional(isoTime),
  /** What it needs before it can make live payment links. */
  missingForLinks: z.array(z.enum(linkSteps)),
});
export type PracticeOfPlatform = z.infer<typeof practiceOfPlatform>;

const query = z.strictObject({
  /** Finds practices whose name has it, whatever the case, accents and spaces. */
  name: z.optional(z.string().check(z.maxLength(200))),
  cursor: z.optional(z.string().check(matching(/^\d{1,6}$/, 'the `nextCursor` of the previous page'))),
});

export const dashboardPlatformRoutes = {
  listPlatformPractices: {
    ...aboutPractice({ role: 'viewer', platform: 'only' }, 'GET', '/practices'),
    summary: "List a platform's practices",
    description: 'By name. A practice that has just joined can take a moment to show; one that has left never shows.',
    query,
    response: z.object({ data: z.array(practiceOfPlatform), nextCursor: z.nullable(z.string()) }),
    problems: { ...memberProblems, ...invalidRequest },
  },
  endPlatformAccess: {
    ...aboutPractice({ role: 'admin', recentSignIn: true, ownMembersOnly: true }, 'POST', '/platform/end'),
    summary: "End the platform's access",
    description:
      'Takes no body. The practice leaves its platform, to which it does not exist from the next request on.',
    response: z.object({ practiceId: z.string(), platformId: z.string(), leftAt: isoTime }),
    problems: { ...memberProblems, practice_in_no_platform: managementProblems.practice_in_no_platform },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
