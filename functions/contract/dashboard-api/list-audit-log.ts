import * as z from 'zod/mini';
import { auditEntry } from '../../domain/audit-entry.ts';
import { invalidCursor } from '../practice-api/page.ts';
import { invalidRequest } from '../problems.ts';
import { takesNothing } from '../route.ts';
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
  query: z.strictObject({ cursor: z.optional(z.string().check(z.maxLength(100))) }),
  status: 200,
  response: auditLogPage,
  problems: { ...memberProblems, ...invalidRequest, ...invalidCursor },
} as const satisfies MemberRoute;
