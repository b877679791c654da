import type { Team } from '../contract/team/dashboard-team.ts';
import { pick } from '../domain/collections.ts';
import type { Invitation } from '../domain/team/member.ts';
import { toIso } from '../domain/time.ts';
import type { SendMail } from '../messages/team/mail.ts';
import type { ModeTools, ReadingTools } from '../store/database.ts';
import { listInvitations } from '../store/team/invitations.ts';
import { listMembers, listMemberships, type MemberKey } from '../store/team/members.ts';
import type { Me } from '../contract/team/dashboard-me.ts';
import type { DashboardSession } from '../domain/team/sign-in.ts';
import { isPlatformId } from '../domain/practices/platform.ts';
import { nameOfOwner } from '../store/practices/platforms.ts';

interface TeamTools extends ReadingTools {
  /** Undefined in a stack that sends no email. */
  readonly sendMail?: SendMail | undefined;
}

/** Lists members, oldest first, the invitations that still work, newest first, and what the caller gets emails about. */
export async function getTeam(
  { database, sendMail }: TeamTools,
  { practiceId, userId }: MemberKey,
  now: number,
): Promise<Team> {
  const [members, invitations] = await Promise.all([
    listMembers(database, practiceId),
    listInvitations(database, practiceId),
  ]);
  const you = members.find((member) => member.userId === userId);
  const admins = new Set(members.filter(({ role }) => role === 'admin').map((member) => member.userId));
  const isByAdmin = ({ createdBy }: Invitation) => {
    if (createdBy.kind !== 'user') return createdBy.kind === 'operator';
    return createdBy.platformId === undefined ? admins.has(createdBy.userId) : admins.size === 0;
  };
  const works = (invitation: Invitation) => invitation.expiresAt > toIso(now) && isByAdmin(invitation);
  return {
    members: members
      .sort((left, right) => left.createdAt.localeCompare(right.createdAt))
      .map((member) => ({
        ...pick(member, ['userId', 'email', 'role', 'createdAt']),
        isYou: member.userId === userId,
      })),
    invitations: invitations
      .filter(works)
      .sort((left, right) => right.createdAt.localeCompare(left.createdAt))
      .map((invitation) => ({
        ...pick(invitation, ['invitationId', 'email', 'role', 'createdAt', 'expiresAt']),
        createdBy: invitation.createdBy.kind === 'user' ? invitation.createdBy.email : undefined,
      })),
    yourMails: { topics: you?.mailTopics ?? [], sent: sendMail !== undefined && you?.email !== undefined },
  };
}

/** Eventually consistent: a new membership can take a moment to show. */
export async function getMe(
  { database, mode }: ModeTools,
  { userId, email, authenticatedAt }: DashboardSession,
): Promise<Me> {
  const memberships = await listMemberships(database, userId);
  const owners = await Promise.all(
    memberships.map(async ({ practiceId: ownerId, role }) => ({
      ownerId,
      name: await nameOfOwner(database, ownerId),
      role,
    })),
  );
  owners.sort((left, right) => left.name.localeCompare(right.name));
  return {
    user: { userId, email, authenticatedAt },
    mode,
    practices: owners.flatMap(({ ownerId, ...each }) =>
      isPlatformId(ownerId) ? [] : { ...each, practiceId: ownerId },
    ),
    platforms: owners.flatMap(({ ownerId, ...each }) =>
      isPlatformId(ownerId) ? { ...each, platformId: ownerId } : [],
    ),
  };
}
