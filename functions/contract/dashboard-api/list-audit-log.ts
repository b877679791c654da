import * as z from 'zod/mini';
import { auditEntry } from '../../domain/team/audit-entry.ts';
import { invalidRequest } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { matching } from '../text.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const auditLogPage = z.object({ data: z.array(auditEntry), nextCursor: z.nullable(z.string()) });
export type AuditLogPage = z.infer<typeof auditLogPage>;

export const listAuditLogRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/audit-log`,
  access: { role: 'viewer' },
  summary: 'List the audit log',
  description: 'Newest first.',
  params: practiceParams,
  query: z.strictObject({
    cursor: z.optional(z.string().check(matching(/^aud_[0-9A-Z]{26}$/, 'the `nextCursor` of the previous page'))),
  }),
  status: 200,
  response: auditLogPage,
  problems: { ...memberProblems, ...invalidRequest },
} as const satisfies MemberRoute;
