import * as z from 'zod/mini';
import { roles } from '../../domain/team/role.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { ofPractice, type MemberRoute } from './dashboard-route.ts';
import { memberChangeProblems, memberParams } from './member.ts';

const memberChange = z.strictObject({ role: z.enum(roles) });

const changedMember = z.object({ userId: z.string(), role: z.enum(roles) });

export const changeMemberRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/team/members/{userId}/role`,
  access: { role: 'admin', recentSignIn: true },
  summary: "Change a member's role",
  description: 'Takes effect on their next request.',
  params: memberParams,
  body: memberChange,
  status: 200,
  response: changedMember,
  problems: { ...memberChangeProblems, ...bodyProblems },
} as const satisfies MemberRoute;
