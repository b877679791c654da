import { newInvitation, type CreatedInvitation } from '../contract/team/dashboard-team.ts';
import { Problem } from '../contract/problem.ts';
import { newAuditEntry, platformOf, type AuditEntry, type Author } from '../domain/team/audit-entry.ts';
import { canBeId, newSecret } from '../domain/identifier.ts';
import { invitationIdOf, invitationLifetime, type Invitation } from '../domain/team/member.ts';
import { toIso } from '../domain/time.ts';
import { logFault } from '../log.ts';
import type { SendMail, Mail } from '../messages/team/mail.ts';
import type { UserPool } from '../messages/team/user-pool.ts';
import { parseInput, requireOwner, type PracticeOfAuthor, type Unchecked } from '../practices/requirements.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { Database, WritingTools } from '../store/database.ts';
import { nameOfOwner } from '../store/practices/platforms.ts';
import { newInvitationPart, revokeInvitationPart } from '../store/team/invitations.ts';
import { stillAdminPart } from '../store/team/members.ts';
import { transact, untilWritten } from '../store/transact.ts';
import { hasAdmin, membershipOf, noLongerAdmin, mostRevoked, openInvitationsOf, revocationParts } from './members.ts';
import { onOneLine } from './mails.ts';

interface Tools extends WritingTools {
  readonly dashboardUrl: string;
  /** Absent if the stack uses another issuer. */
  readonly userPool?: Pick<UserPool, 'createUser'> | undefined;
  /** Absent if the stack sends no email. */
  readonly sendMail?: SendMail | undefined;
}

/** Creates an invitation that replaces open ones to the same address. Returns its link, which is shown only once. */
export async function inviteMember(
  tools: Tools,
  { practiceId, author, ...given }: PracticeOfAuthor & Unchecked<typeof newInvitation>,
  now: number,
): Promise<CreatedInvitation> {
  const { database, randomBytes, dashboardUrl, userPool, sendMail } = tools;
  const { email, role } = parseInput(newInvitation, given);
  await requireMayInvite(database, { practiceId, author });
  if (platformOf(author) !== undefined && role !== 'admin')
    throw new Problem('own_members_only', 'Invite an admin of the practice, who decides on the rest of its team.');
  await requireOwner(database, practiceId);
  const practiceName = await nameOfOwner(database, practiceId);
  await userPool?.createUser(email);

  const token = newSecret(randomBytes);
  const invitation: Invitation = {
    invitationId: invitationIdOf(token),
    practiceId,
    email,
    role,
    createdAt: toIso(now),
    expiresAt: toIso(now + invitationLifetime),
    createdBy: author,
  };
  const { invitationId, expiresAt } = invitation;
  const created = {
    practiceId,
    author,
    action: 'invitation.created',
    target: invitationId,
    details: { email, role },
  } as const;
  const entry = newAuditEntry({ randomBytes }, created, now);
  await untilWritten('invitations', () => writeInvitation(tools, invitation, entry, now));

  const invitationUrl = `${new URL('/join', dashboardUrl).href}#${token}`;
  const createsAccount = userPool !== undefined;
  const mail = invitationMail({
    practiceName,
    invitationUrl,
    email,
    role,
    author,
    createsAccount,
  });
  const mailed = sendMail ? await isSent(sendMail(mail)) : false;
  return { invitationId, email, role, expiresAt, invitationUrl, mailed, createsAccount };
}

/** Revokes open invitations to the same address: of two links, one would outlive the revocation of the other. */
async function writeInvitation(
  tools: Pick<Tools, 'database' | 'randomBytes'>,
  invitation: Invitation,
  entry: AuditEntry,
  now: number,
): Promise<true | undefined> {
  const { database } = tools;
  const { practiceId, createdBy } = invitation;
  const open = await openInvitationsOf(database, invitation, now);
  const refused = await transact(database, {
    ...revocationParts(tools, open.slice(0, mostRevoked), createdBy, now),
    author: adminPart(database, practiceId, createdBy),
    invitation: newInvitationPart(database, invitation),
    audit: auditPart(database, entry),
  });
  if (refused?.has('author')) throw noLongerAdmin();
  return refused ? undefined : true;
}

/** Deletes the invitation: its link stops working. */
export async function revokeInvitation(
  { database, randomBytes }: WritingTools,
  { practiceId, author, invitationId }: PracticeOfAuthor & { readonly invitationId: string },
  now: number,
) {
  if (!canBeId(invitationId)) throw invitationEnded();
  await requireMayInvite(database, { practiceId, author });
  const entry = { practiceId, author, action: 'invitation.revoked', target: invitationId } as const;
  const refused = await transact(database, {
    author: adminPart(database, practiceId, author),
    invitation: revokeInvitationPart(database, practiceId, invitationId),
    audit: auditPart(database, newAuditEntry({ randomBytes }, entry, now)),
  });
  if (refused?.has('author')) throw noLongerAdmin();
  if (refused) throw invitationEnded();
  return { invitationId };
}

/** A platform invites a practice's first admin, who decides on everyone else. */
async function requireMayInvite(database: Database, { practiceId, author }: PracticeOfAuthor): Promise<void> {
  if (platformOf(author) !== undefined && (await hasAdmin(database, practiceId)))
    throw new Problem('own_members_only', 'The practice has an admin, who decides on its team.');
}

function adminPart(database: Database, practiceId: string, author: Author) {
  return author.kind === 'user' ? stillAdminPart(database, membershipOf(practiceId, author)) : undefined;
}

function invitationEnded(): Problem {
  return new Problem('invitation_not_found', 'It was accepted or revoked, or it has expired.');
}

/** If the email is not sent, the inviter sends the link. */
async function isSent(sending: Promise<void>): Promise<boolean> {
  try {
    await sending;
    return true;
  } catch (error) {
    logFault('an invitation was not emailed', error);
    return false;
  }
}

interface Facts extends Pick<Invitation, 'email' | 'role'> {
  readonly practiceName: string;
  readonly invitationUrl: string;
  readonly author: Author;
  readonly createsAccount: boolean;
}

function invitationMail({ practiceName, invitationUrl, email, role, author, createsAccount }: Facts): Mail {
  const inviter = author.kind === 'user' && author.email !== undefined ? onOneLine(author.email) : undefined;
  return {
    to: email,
    subject: `Join ${practiceName}`,
    text: `${inviter ?? 'The payment service'} invites you to the payment dashboard of ${practiceName}. Your role: ${role}.

Open this link within 7 days. It works once, and replaces any earlier invitation:
${invitationUrl}
${createsAccount ? '\nIf you have no account yet, a separate email has your temporary password.\n' : ''}
If you did not expect this, ignore it.
`,
  };
}
