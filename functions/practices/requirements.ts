import * as z from 'zod/mini';
import { requestProblem } from '../contract/request-errors.ts';
import { Problem } from '../contract/problem.ts';
import {
  newAuditEntry,
  type AuditAction,
  type Audited,
  type AuditEntry,
  type NewEntry,
} from '../domain/team/audit-entry.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { isPlatformId } from '../domain/practices/platform.ts';
import type { Practice } from '../domain/practices/practice.ts';
import type { Database } from '../store/database.ts';
import { getPractice } from '../store/practices/practices.ts';

/** The fields of a schema with unchecked values. */
export type Unchecked<Schema extends z.core.$ZodType> = { readonly [Name in keyof z.input<Schema>]: unknown };

/** Throws the Problem that a request with this body would get, with a message that says what is allowed. */
export function parseInput<Schema extends z.core.$ZodType>(schema: Schema, input: object): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { error: whatIsAllowed, reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['body', ...issue.path] }));
  throw requestProblem(issues, z.object({ body: schema }));
}

function whatIsAllowed(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `Use one of: ${issue.values.join(', ')}.`;
    case 'too_big':
      return `Use at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}.`;
    case 'too_small':
      return issue.origin === 'string' ? '' : `Use at least ${issue.minimum}.`;
    default:
      return '';
  }
}

export function contactRequired(): Problem {
  return new Problem(
    'contact_required',
    'Patients must be able to revoke an authorization: give a support phone number or a support email address.',
  );
}

export function requireChange(change: object): void {
  if (Object.values(change).every((value) => value === undefined))
    throw new Problem('invalid_request', 'Say what to change.', {
      extra: { errors: [{ pointer: '', code: 'required', detail: 'Give at least one field.' }] },
    });
}

export interface PracticeOfAuthor extends Audited {
  readonly practiceId: string;
}

/** An audit entry for a change to the practice itself. */
export function practiceEntry(
  { randomBytes }: { readonly randomBytes: RandomBytes },
  { practiceId, author }: PracticeOfAuthor,
  action: AuditAction,
  now: number,
  details: NewEntry['details'] = {},
): AuditEntry {
  return newAuditEntry({ randomBytes }, { practiceId, author, action, target: practiceId, details }, now);
}

/** What changed, for the audit log. Null removes a setting. */
export function changeDetails(set: object): NonNullable<NewEntry['details']> {
  const changes = Object.entries<unknown>({ ...set });
  const removed = changes.flatMap(([name, value]) => (value === null ? [name] : []));
  return {
    ...Object.fromEntries(changes.map(([name, value]) => [name, value?.toString()])),
    removed: removed.join(' ') || undefined,
  };
}

/** Throws a Problem if there is no such practice. */
export async function requirePractice(database: Database, practiceId: string): Promise<Practice> {
  const found = await getPractice(database, practiceId);
  if (!found) throw practiceNotFound();
  return found;
}

/** Throws a Problem if there is no such practice. A platform's ID is checked where it is typed. */
export async function requireOwner(database: Database, ownerId: string): Promise<void> {
  if (!isPlatformId(ownerId)) await requirePractice(database, ownerId);
}

export function practiceNotFound(): Problem {
  return new Problem('practice_not_found', 'There is no practice with this id. Check the id.');
}
