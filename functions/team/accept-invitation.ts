import type { AcceptedInvitation } from '../contract/team/dashboard-me.ts';
import { Problem } from '../contract/problem.ts';
import { newAuditEntry, platformOf, type Audited } from '../domain/team/audit-entry.ts';
import {
  allows,
  defaultTopics,
  type Member,
  type User,
  invitationIdOf,
  type Invitation,
} from '../domain/team/member.ts';
import { toIso } from '../domain/time.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { Database, WritingTools } from '../store/database.ts';
import { getInvitation, useInvitationPart } from '../store/team/invitations.ts';
import { getMember, newMemberPart, rolePart, stillAdminPart } from '../store/team/members.ts';
import { servedPart } from '../store/practices/platforms.ts';
import { transact, untilWritten } from '../store/transact.ts';
import { hasAdmin, membershipOf } from './members.ts';

interface Input extends Audited {
  readonly token: string;
  readonly user: User;
}

/** Makes whoever has the link a member. Their issuer and subject, never an email address, give access from then on. */
export async function acceptInvitation(tools: WritingTools, input: Input, now: number): Promise<AcceptedInvitation> {
  return untilWritten('member', () => accept(tools, input, now));
}

async function accept(
  { database, randomBytes }: WritingTools,
  { token, user, author }: Input,
  now: number,
): Promise<AcceptedInvitation | undefined> {
  const invitation = await getInvitation(database, invitationIdOf(token));
  if (!invitation || !(await isByAnAdmin(database, invitation))) throw notFound();
  const { practiceId, role, createdBy } = invitation;
  const { userId, email } = user;
  const existing = await getMember(database, { practiceId, userId });
  if (existing && allows(existing.role, role)) return { practiceId, role: existing.role };
  const platformId = platformOf(createdBy);
  // The admin who made this link was removed a moment ago, or acts for a platform.
  if (createdBy.kind === 'user' && createdBy.userId === userId) throw notFound();

  const added: Member = {
    userId,
    issuer: user.issuer,
    subject: user.subject,
    email,
    practiceId,
    role,
    mailTopics: defaultTopics(role),
    createdAt: toIso(now),
  };
  const details = { invited: invitation.email, role, email };
  const action = existing ? 'member.role_changed' : 'member.added';
  const entry = newAuditEntry({ randomBytes }, { practiceId, author, action, target: userId, details }, now);
  const refused = await transact(database, {
    invitation: useInvitationPart(database, invitation, now),
    inviter: createdBy.kind === 'user' ? stillAdminPart(database, membershipOf(practiceId, createdBy)) : undefined,
    platform: platformId === undefined ? undefined : servedPart(database, practiceId, platformId),
    member: existing ? rolePart(database, existing, role) : newMemberPart(database, added),
    audit: auditPart(database, entry),
  });
  if (!refused) return { practiceId, role };
  if (refused.has('invitation') || refused.has('inviter') || refused.has('platform')) throw notFound();
  return undefined;
}

/** A removed admin must not come back through their own invitation. A platform's invitation is for a practice without an admin. */
async function isByAnAdmin(
  database: Database,
  { practiceId, createdBy }: Pick<Invitation, 'practiceId' | 'createdBy'>,
): Promise<boolean> {
  if (createdBy.kind !== 'user') return createdBy.kind === 'operator';
  const inviter = await getMember(database, membershipOf(practiceId, createdBy));
  if (inviter?.role !== 'admin') return false;
  return createdBy.platformId === undefined || !(await hasAdmin(database, practiceId));
}

function notFound(): Problem {
  return new Problem('invitation_not_found', 'Ask for a new one.');
}
