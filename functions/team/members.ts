import { Problem } from '../contract/problem.ts';
import {
  newAuditEntry,
  type Audited,
  type AuditEntry,
  type UserAuthor,
  type Author,
} from '../domain/team/audit-entry.ts';
import { canBeId } from '../domain/identifier.ts';
import { type MailTopic, type Member, allows, type Role, type Invitation } from '../domain/team/member.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { Database, WritingTools } from '../store/database.ts';
import {
  getMember,
  listMembers,
  mailTopicsPart,
  removalPart,
  rolePart,
  stillAdminPart,
  type MemberKey,
} from '../store/team/members.ts';
import { transact, untilWritten } from '../store/transact.ts';
import type { Part } from '../store/writes.ts';
import { listInvitations, getInvitation, revokeInvitationPart } from '../store/team/invitations.ts';
import { toIso } from '../domain/time.ts';

type MemberInput = MemberKey & Audited;

/** Takes effect on the member's next request. A lower role also revokes open invitations to the member's address. */
export async function changeRole(tools: WritingTools, input: MemberInput & { readonly role: Role }, now: number) {
  const { practiceId, userId, author, role } = input;
  const plan = ({ email, role: before }: Member): Planned | undefined => {
    if (before === role) return undefined;
    const details = { email, from: before, to: role };
    return {
      losesAccess: allows(before, role),
      part: (member) => rolePart(tools.database, member, role),
      entry: newAuditEntry(tools, { practiceId, author, action: 'member.role_changed', target: userId, details }, now),
    };
  };
  await untilWritten('members', () => changeMember(tools, input, now, plan));
  return { userId, role };
}

/** Takes effect on the member's next request. Also revokes open invitations to the member's address. */
export async function removeMember(tools: WritingTools, input: MemberInput, now: number) {
  const { practiceId, userId, author } = input;
  const plan = ({ email, role }: Member): Planned => ({
    losesAccess: true,
    part: (member) => removalPart(tools.database, member),
    entry: newAuditEntry(
      tools,
      { practiceId, author, action: 'member.removed', target: userId, details: { email, role } },
      now,
    ),
  });
  await untilWritten('members', () => changeMember(tools, input, now, plan));
  return { userId };
}

export async function changeMailTopics(
  tools: WritingTools,
  { practiceId, userId, author, mailTopics }: MemberInput & { readonly mailTopics: readonly MailTopic[] },
  now: number,
) {
  const { database } = tools;
  const details = { mails: mailTopics.join(' ') || 'none' };
  const entry = newAuditEntry(
    tools,
    { practiceId, author, action: 'member.alerts_changed', target: userId, details },
    now,
  );
  const refused = await transact(database, {
    member: mailTopicsPart(database, { practiceId, userId }, mailTopics),
    audit: auditPart(database, entry),
  });
  if (refused) throw memberNotFound();
  return { mailTopics };
}

interface Planned {
  /** If so, open invitations are revoked: they must not give the access back. */
  readonly losesAccess: boolean;
  readonly part: (asRead: Member) => Part;
  readonly entry: AuditEntry;
}

/** The author must still be an admin when the change is written, and the practice must keep an admin. */
async function changeMember(
  tools: WritingTools,
  input: MemberInput,
  now: number,
  plan: (asRead: Member) => Planned | undefined,
): Promise<true | undefined> {
  const { database } = tools;
  const asRead = canBeId(input.userId) ? await getMember(database, input) : undefined;
  if (!asRead) throw memberNotFound();
  const planned = plan(asRead);
  if (!planned) return true;
  const remaining = stillAdminPart(database, await remainingAdmin(database, input));
  const open = planned.losesAccess ? await openInvitationsOf(database, asRead, now) : [];
  const revoking = revocationParts(tools, open.slice(0, mostRevoked), input.author, now);
  if (open.length > mostRevoked) {
    await transact(database, { remaining, ...revoking });
    return changeMember(tools, input, now, plan);
  }
  const refused = await transact(database, {
    ...revoking,
    member: planned.part(asRead),
    remaining,
    audit: auditPart(database, planned.entry),
  });
  return refused ? undefined : true;
}

/**
 * The author, or another admin if the author changes themselves. A transaction that requires this admin cannot leave the
 * practice without one, even if two admins remove each other at once.
 */
async function remainingAdmin(database: Database, { practiceId, userId, author }: MemberInput): Promise<MemberKey> {
  const admins = (await listMembers(database, practiceId)).filter(({ role }) => role === 'admin');
  if (author.kind === 'user' && author.userId !== userId) {
    if (admins.some((admin) => admin.userId === author.userId)) return { practiceId, userId: author.userId };
    throw noLongerAdmin();
  }
  const other = admins.find((admin) => admin.userId !== userId);
  if (!other) throw new Problem('last_admin', 'Make someone else an admin first.');
  return other;
}

/** The membership that gives the author their role: in the platform, if they act for it. */
export function membershipOf(practiceId: string, { userId, platformId = practiceId }: UserAuthor): MemberKey {
  return { practiceId: platformId, userId };
}

export async function hasAdmin(database: Database, practiceId: string): Promise<boolean> {
  return (await listMembers(database, practiceId)).some(({ role }) => role === 'admin');
}

export function noLongerAdmin(): Problem {
  return new Problem('role_too_low', 'You are no longer an admin of this practice.');
}

function memberNotFound(): Problem {
  return new Problem('member_not_found', 'Reload the list of members.');
}

/** Removes every member, even the last admin. Returns how many were removed. */
export async function removeEveryone(
  tools: WritingTools,
  { practiceId, author }: { readonly practiceId: string } & Audited,
  now: number,
): Promise<number> {
  const { database } = tools;
  // Revoked first, so that nobody can come back.
  for (const invitation of await listInvitations(database, practiceId))
    await transact(database, revocationParts(tools, [invitation], author, now));
  let removed = 0;
  for (const member of await listMembers(database, practiceId)) {
    const { userId, email, role } = member;
    const details = { email, role };
    const entry = { practiceId, author, action: 'member.removed', target: userId, details } as const;
    const refused = await transact(database, {
      member: removalPart(database, member),
      audit: auditPart(database, newAuditEntry(tools, entry, now)),
    });
    // The member has left or changed roles since the list was read.
    if (refused) return removed + (await removeEveryone(tools, { practiceId, author }, now));
    removed += 1;
  }
  return removed;
}

/** Open invitations that would give this member access again. */
export async function openInvitationsOf(
  database: Database,
  { practiceId, email }: Pick<Member, 'practiceId' | 'email'>,
  now: number,
): Promise<Invitation[]> {
  if (email === undefined) return [];
  const listed = (await listInvitations(database, practiceId)).filter(
    (each) => each.email.toLowerCase() === email.toLowerCase() && each.expiresAt > toIso(now),
  );
  // The index is eventually consistent: it may list an invitation that is gone.
  const found = await Promise.all(listed.map(({ invitationId }) => getInvitation(database, invitationId)));
  return found.filter((each) => each !== undefined);
}

/** Each takes two parts. With the change itself, they fit in a transaction's 100 parts. */
export const mostRevoked = 48;

/** Two parts per invitation. */
export function revocationParts(
  { database, randomBytes }: WritingTools,
  invitations: readonly Invitation[],
  author: Author,
  now: number,
): Record<string, Part> {
  return Object.fromEntries(
    invitations.flatMap(({ invitationId, practiceId, email, role }) => {
      const entry = { practiceId, author, action: 'invitation.revoked', target: invitationId } as const;
      const details = { email, role };
      return [
        [`invitation ${invitationId}`, revokeInvitationPart(database, practiceId, invitationId)],
        [`audit ${invitationId}`, auditPart(database, newAuditEntry({ randomBytes }, { ...entry, details }, now))],
      ];
    }),
  );
}
