import type { AlertEvent, MailTicket } from '../contract/webhooks/tickets.ts';
import { type MailTopic, type Member } from '../domain/team/member.ts';
import { formerAdmin } from '../domain/team/sensitive-action.ts';
import type { SendTickets } from '../messages/queues.ts';
import { getAuditEntry } from '../store/team/audit-log.ts';
import type { ReadingTools } from '../store/database.ts';
import { limitKept, releaseMail, reserveMail, type MailLimit } from '../store/team/mail-limits.ts';
import { listMembers } from '../store/team/members.ts';
import { Fault } from '../domain/fault.ts';
import { daysIn, daysUntil, hourIn, type Clock } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import { readPractices } from '../store/practices/practices.ts';

interface NotifyTools extends ReadingTools {
  readonly sendMails: SendTickets;
}

type Subject = Omit<MailTicket, 'userId'>;

/** Enqueues one ticket per email, so that a refused address does not delay the others. */
export async function notifyAdmins(
  tools: NotifyTools,
  { practiceId, entryId }: { readonly practiceId: string; readonly entryId: string },
): Promise<void> {
  const entry = await getAuditEntry(tools.database, practiceId, entryId);
  const former = entry && formerAdmin(entry);
  const admins = await addressees(tools, practiceId, ({ role }) => role === 'admin');
  const userIds = new Set([...admins, ...(former ? [former.userId] : [])]);
  await send(tools, { practiceId, about: 'audit_entry', subjectId: entryId }, [...userIds]);
}

const topicOf: Readonly<Record<AlertEvent['about'], MailTopic>> = {
  'session.payment.failed': 'payment_failed',
  'session.payment.returned': 'payment_returned',
  // The practice has money again that it meant to give away.
  'session.payment.refund_failed': 'payment_returned',
  'session.payment.refunded': 'payment_refunded',
  'session.payment.succeeded': 'payment_arrived',
  'session.payment.link_requested': 'link_requested',
  'webhook.endpoint.failing': 'endpoint_failing',
  'webhook.endpoint.disabled': 'endpoint_failing',
};

/** A morning with hundreds of payments must not become hundreds of emails: the last one says where the others are. */
const mailsPerHour = 5;

/** Notifies the members who chose the event's topic. */
export async function notifyMembers(tools: NotifyTools, event: AlertEvent, now: number): Promise<void> {
  const { practiceId, about, subjectId, eventId, time } = event;
  // The event was restored. It may have been emailed already, and no row says so.
  if (Date.parse(time) < now - limitKept) return;
  const userIds = await addressees(tools, practiceId, ({ mailTopics }) => mailTopics.includes(topicOf[about]));
  const limit = { practiceId, about, period: time.slice(0, 'yyyy-mm-ddThh'.length), most: mailsPerHour };
  await sendOnce(tools, { practiceId, about, subjectId }, userIds, { limit, eventId, now });
}

/** Emails a day's summary to the members who chose it, once. */
async function notifyOfDay(
  tools: NotifyTools,
  { practiceId, day }: { readonly practiceId: string; readonly day: string },
  now: number,
): Promise<void> {
  const about = 'daily_summary' as const;
  const userIds = await addressees(tools, practiceId, ({ mailTopics }) => mailTopics.includes(about));
  const limit = { practiceId, about, period: day, most: 1 };
  await sendOnce(tools, { practiceId, about, subjectId: day }, userIds, { limit, eventId: day, now });
}

async function addressees(
  { database }: NotifyTools,
  practiceId: string,
  wants: (member: Member) => boolean,
): Promise<string[]> {
  const members = await listMembers(database, practiceId);
  return members.filter((member) => member.email !== undefined && wants(member)).map(({ userId }) => userId);
}

interface Once {
  readonly limit: MailLimit;
  readonly eventId: string;
  readonly now: number;
}

async function sendOnce(
  tools: NotifyTools,
  subject: Subject,
  userIds: readonly string[],
  { limit, eventId, now }: Once,
): Promise<void> {
  if (userIds.length === 0) return;
  const left = await reserveMail(tools.database, limit, eventId, now);
  if (left === undefined) return;
  try {
    await send(tools, { ...subject, left }, userIds);
  } catch (error) {
    await releaseMail(tools.database, limit, eventId);
    throw error;
  }
}

async function send({ sendMails }: NotifyTools, subject: Subject, userIds: readonly string[]): Promise<void> {
  await sendMails(userIds.map((userId) => ({ body: { ...subject, userId } satisfies MailTicket })));
}

interface SummaryTools extends NotifyTools {
  readonly clock: Clock;
}

/** The hours in which the hourly run sends emails: the second and third make up for a run that failed. */
const morning: readonly number[] = [7, 8, 9];

/** Emails yesterday's summary to practices where it is morning. Throws at the end if anything failed. */
export async function mailSummaries({ clock, ...tools }: SummaryTools): Promise<void> {
  const now = clock();
  const { practices, unreadableIds } = await readPractices(tools.database);
  let due = 0;
  let failed = unreadableIds.length;
  for (const { practiceId, timeZone } of practices) {
    try {
      // Throws if Node no longer knows the time zone.
      if (!morning.includes(hourIn(timeZone, now))) continue;
      due += 1;
      const [yesterday = ''] = daysUntil(daysIn(timeZone)(now), 2);
      await notifyOfDay(tools, { practiceId, day: yesterday }, now);
    } catch (error) {
      failed += 1;
      logFault('summary not mailed', error, { practiceId });
    }
  }
  logInfo('summaries mailed', { practices: due, failed });
  if (failed > 0) throw new Fault(`${failed} summaries could not be emailed`);
}
