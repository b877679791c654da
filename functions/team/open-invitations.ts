import { newAuditEntry, type Author } from '../domain/team/audit-entry.ts';
import type { Invitation } from '../domain/team/invitation.ts';
import type { Member } from '../domain/team/member.ts';
import { toIso } from '../domain/time.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { Database, WritingTools } from '../store/database.ts';
import { getInvitation, listInvitations, revokeInvitationPart } from '../store/team/invitations.ts';
import type { Part } from '../store/writes.ts';

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

/** Two parts each. With the change itself, they fit in a transaction's 100 parts. */
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
        [`audit ${invitationId}`, auditPart(database, newAuditEntry({ ...entry, details }, now, randomBytes))],
      ];
    }),
  );
}
