import * as z from 'zod/mini';
import { aboutOwner, memberProblems, practiceParams, type MemberRoute } from '../dashboard-route.ts';
import { bodyProblems, invalidRequest } from '../problems.ts';
import { matching, withoutSensitiveData } from '../text.ts';
import { auditEntry } from '../../domain/team/audit-entry.ts';
import { mailTopic, mailTopics, roles } from '../../domain/team/member.ts';
import { isoTime } from '../../domain/time.ts';

const memberParams = z.extend(practiceParams, { userId: z.string() });

const memberNotFound = {
  member_not_found: { status: 404, title: 'There is no such member.' },
} as const;

const memberChangeProblems = {
  ...memberProblems,
  ...memberNotFound,
  last_admin: { status: 409, title: 'A practice needs an admin.' },
} as const;

const topics = z.readonly(z.array(mailTopic));

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
  /** What the caller chose to get emails about. `sent` is false if this service sends none, or if the caller has no address. */
  yourMails: z.object({ topics, sent: z.boolean() }),
});
export type Team = z.infer<typeof team>;

const mailsChange = z.strictObject({ mailTopics: topics.check(z.maxLength(mailTopics.length)) });

export const newInvitation = z.strictObject({
  email: z.email().check(z.maxLength(254), ...withoutSensitiveData('value')),
  role: z.enum(roles),
});

const createdInvitation = z.object({
  invitationId: z.string(),
  email: z.string(),
  role: z.enum(roles),
  expiresAt: isoTime,
  /** Shown only once. */
  invitationUrl: z.url(),
  /** If false, the inviter must send the link. */
  mailed: z.boolean(),
  /**
   * Whether Cognito creates an account, with a temporary password by email, for someone who has none.
   * False with any other issuer.
   */
  createsAccount: z.boolean(),
});
export type CreatedInvitation = z.infer<typeof createdInvitation>;

const revokedInvitation = z.object({ invitationId: z.string() });

const memberChange = z.strictObject({ role: z.enum(roles) });

const changedMember = z.object({ userId: z.string(), role: z.enum(roles) });

const removedMember = z.object({ userId: z.string() });

const auditLogPage = z.object({ data: z.array(auditEntry), nextCursor: z.nullable(z.string()) });
export type AuditLogPage = z.infer<typeof auditLogPage>;

export const teamRoutes = {
  getTeam: {
    ...aboutOwner({ role: 'viewer' }, 'GET', '/team'),
    summary: 'List members and invitations',
    description: 'Strongly consistent for members; a new invitation can take a moment to show.',
    response: team,
    problems: memberProblems,
  },
  changeMailTopics: {
    ...aboutOwner({ role: 'viewer', ownMembersOnly: true }, 'POST', '/team/mails'),
    summary: 'Choose what you are mailed about',
    description: 'Replaces your own choice.',
    body: mailsChange,
    response: mailsChange,
    problems: { ...memberProblems, ...bodyProblems, ...memberNotFound },
  },
  inviteMember: {
    ...aboutOwner({ role: 'admin', recentSignIn: true }, 'POST', '/team/invitations'),
    summary: 'Invite someone',
    description:
      'Creates a link that makes whoever first accepts it a member. It works once, for 7 days. A platform can invite only while the practice has no admin.',
    body: newInvitation,
    status: 201,
    response: createdInvitation,
    problems: { ...memberProblems, ...bodyProblems },
  },
  revokeInvitation: {
    ...aboutOwner({ role: 'admin', recentSignIn: true }, 'POST', '/team/invitations/{invitationId}/revoke'),
    summary: 'Revoke an invitation',
    description: 'Takes no body. Its link stops working.',
    params: z.extend(practiceParams, { invitationId: z.string() }),
    response: revokedInvitation,
    problems: {
      ...memberProblems,
      invitation_not_found: { status: 404, title: 'This invitation no longer works.' },
    },
  },
  changeMember: {
    ...aboutOwner({ role: 'admin', recentSignIn: true, ownMembersOnly: true }, 'POST', '/team/members/{userId}/role'),
    summary: "Change a member's role",
    description: 'Takes effect on their next request.',
    params: memberParams,
    body: memberChange,
    response: changedMember,
    problems: { ...memberChangeProblems, ...bodyProblems },
  },
  removeMember: {
    ...aboutOwner({ role: 'admin', recentSignIn: true, ownMembersOnly: true }, 'POST', '/team/members/{userId}/remove'),
    summary: 'Remove a member',
    description: 'Takes no body. Takes effect on their next request.',
    params: memberParams,
    response: removedMember,
    problems: memberChangeProblems,
  },
  listAuditLog: {
    ...aboutOwner({ role: 'viewer' }, 'GET', '/audit-log'),
    summary: 'List the audit log',
    description: 'Newest first.',
    query: z.strictObject({
      cursor: z.optional(z.string().check(matching(/^aud_[0-9A-Z]{26}$/, 'the `nextCursor` of the previous page'))),
    }),
    response: auditLogPage,
    problems: { ...memberProblems, ...invalidRequest },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
