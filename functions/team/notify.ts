import type { MailTicket } from '../contract/webhooks/tickets.ts';
import type { Member } from '../domain/team/member.ts';
import { formerAdmin } from '../domain/team/sensitive-action.ts';
import type { SendTickets } from '../messages/queues.ts';
import { getAuditEntry } from '../store/team/audit-log.ts';
import type { Database } from '../store/database.ts';
import { listMembers } from '../store/team/members.ts';

interface NotifyTools {
  readonly database: Database<'members'>;
  readonly sendMails: SendTickets;
}

type Subject = Omit<MailTicket, 'userId'>;

/** Enqueues one ticket per mail, so that a refused address delays no other mail. */
export async function notifyAdmins(
  tools: NotifyTools & { readonly database: Database<'auditLog'> },
  { practiceId, entryId }: { readonly practiceId: string; readonly entryId: string },
): Promise<void> {
  const entry = await getAuditEntry(tools.database, practiceId, entryId);
  const former = entry && formerAdmin(entry);
  const admins = await addressees(tools, practiceId, ({ role }) => role === 'admin');
  const userIds = new Set([...admins, ...(former ? [former.userId] : [])]);
  await send(tools, { practiceId, about: 'audit_entry', subjectId: entryId }, [...userIds]);
}

/** Notifies the members who want alerts. */
export async function notifyMembers(tools: NotifyTools, subject: Subject): Promise<void> {
  const userIds = await addressees(tools, subject.practiceId, ({ wantsAlerts }) => wantsAlerts);
  await send(tools, subject, userIds);
}

async function addressees(
  { database }: NotifyTools,
  practiceId: string,
  wants: (member: Member) => boolean,
): Promise<string[]> {
  const members = await listMembers(database, practiceId);
  return members.filter((member) => member.email !== undefined && wants(member)).map(({ userId }) => userId);
}

async function send(
  { sendMails }: NotifyTools,
  { practiceId, about, subjectId }: Subject,
  userIds: readonly string[],
): Promise<void> {
  await sendMails(userIds.map((userId) => ({ body: { practiceId, userId, about, subjectId } satisfies MailTicket })));
}
