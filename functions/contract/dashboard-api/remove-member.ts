import * as z from 'zod/mini';
import { takesNothing } from '../route.ts';
import { ofPractice, type MemberRoute } from './dashboard-route.ts';
import { memberChangeProblems, memberParams } from './member.ts';

const removedMember = z.object({ userId: z.string() });

export const removeMemberRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/team/members/{userId}/remove`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Remove a member',
  description: 'Takes no body. Takes effect on their next request.',
  params: memberParams,
  status: 200,
  response: removedMember,
  problems: memberChangeProblems,
} as const satisfies MemberRoute;
