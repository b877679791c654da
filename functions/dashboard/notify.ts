import type { MailTicket } from '../contract/tickets.ts';
import type { Member } from '../domain/member.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { listMembers } from '../store/members.ts';

interface NotifyTools {
  readonly database: Database<'members'>;
  readonly sendMails: SendTickets;
}

type Subject = Omit<MailTicket, 'userId'>;

/** One ticket per mail: a refused address delays nobody else's. */
export async function notifyAdmins(tools: NotifyTools, entry: { practiceId: string; entryId: string }): Promise<void> {
  const { practiceId, entryId: subjectId } = entry;
  await notify(tools, { practiceId, about: 'audit_entry', subjectId }, ({ role }) => role === 'admin');
}

/** For those who want alerts. */
export async function notifyMembers(tools: NotifyTools, subject: Subject): Promise<void> {
  await notify(tools, subject, ({ wantsAlerts }) => wantsAlerts);
}

async function notify(
  { database, sendMails }: NotifyTools,
  { practiceId, about, subjectId }: Subject,
  wants: (member: Member) => boolean,
): Promise<void> {
  const members = await listMembers(database, practiceId);
  const recipients = members.filter((member) => member.email !== undefined && wants(member));
  await sendMails(
    recipients.map(({ userId }) => ({ body: { practiceId, userId, about, subjectId } satisfies MailTicket })),
  );
}
