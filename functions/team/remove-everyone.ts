import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { revocationParts } from './open-invitations.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { Database } from '../store/database.ts';
import { listInvitations } from '../store/team/invitations.ts';
import { listMembers, removalPart } from '../store/team/members.ts';
import { transact } from '../store/transact.ts';

interface Tools {
  readonly database: Database<'members' | 'invitations' | 'auditLog'>;
  readonly randomBytes: RandomBytes;
}

/** Removes every member, even the last admin. Returns how many were removed. */
export async function removeEveryone(
  tools: Tools,
  { practiceId, author }: { readonly practiceId: string } & Audited,
  now: number,
): Promise<number> {
  const { database, randomBytes } = tools;
  // First, so that nobody can come back.
  for (const invitation of await listInvitations(database, practiceId))
    await transact(database, revocationParts(tools, [invitation], author, now));
  let removed = 0;
  for (const member of await listMembers(database, practiceId)) {
    const { userId, email, role } = member;
    const details = { email, role };
    const entry = { practiceId, author, action: 'member.removed', target: userId, details } as const;
    const refused = await transact(database, {
      member: removalPart(database, member),
      audit: auditPart(database, newAuditEntry(entry, now, randomBytes)),
    });
    // The member has left or changed roles since the list was read.
    if (refused) return removed + (await removeEveryone(tools, { practiceId, author }, now));
    removed += 1;
  }
  return removed;
}
