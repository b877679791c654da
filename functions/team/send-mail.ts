import type { MailTicket } from '../contract/webhooks/tickets.ts';
import { formerAdmin, sensitiveActionOf } from '../domain/team/sensitive-action.ts';
import { isPlatformId } from '../domain/practices/platform.ts';
import { defaultTimeZone } from '../domain/time.ts';
import { logInfo } from '../log.ts';
import type { Mail, SendMail } from '../messages/team/mail.ts';
import { getAuditEntry } from '../store/team/audit-log.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { getExistingSession } from '../store/sessions/sessions.ts';
import { getMember } from '../store/team/members.ts';
import { getExistingPlatform } from '../store/practices/platforms.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { getWebhookEndpoint } from '../store/webhooks/webhook-endpoints.ts';
import { readDailySummary } from './daily-summary.ts';
import { auditMail, endpointMail, type MailContext } from './mails.ts';
import { returnMail, sessionMail, summaryMail, withFooter } from './payment-mails.ts';

interface MailTools extends ReadingTools {
  readonly sendMail: SendMail;
  readonly dashboardUrl: string;
}

/** A former member gets only the email about their own removal or role. Throws if the mail provider does. */
export async function sendMemberMail(tools: MailTools, ticket: MailTicket, now: number): Promise<void> {
  const { practiceId, userId, about } = ticket;
  const [member, practice] = await Promise.all([
    getMember(tools.database, { practiceId, userId }),
    ownerOf(tools, practiceId),
  ]);
  const to = member ? member.email : await formerEmail(tools.database, ticket);
  if (to === undefined) return;
  const context = { practice, dashboardUrl: tools.dashboardUrl };
  const written = await mailOf(tools, ticket, context, now);
  const isLast = ticket.left === 0 && about !== 'daily_summary';
  const mail = written && about !== 'audit_entry' ? withFooter(context, written, isLast) : written;
  if (mail) await tools.sendMail({ ...mail, to });
  logInfo('member mailed', { practiceId, userId, about, sent: mail !== undefined });
}

/** A platform has no time zone. */
async function ownerOf({ database }: MailTools, ownerId: string): Promise<MailContext['practice']> {
  if (!isPlatformId(ownerId)) return getExistingPractice(database, ownerId);
  const { name } = await getExistingPlatform(database, ownerId);
  return { practiceId: ownerId, name, timeZone: defaultTimeZone };
}

async function formerEmail(
  database: Database,
  { practiceId, userId, about, subjectId }: MailTicket,
): Promise<string | undefined> {
  if (about !== 'audit_entry') return undefined;
  const entry = await getAuditEntry(database, practiceId, subjectId);
  const former = entry && formerAdmin(entry);
  return former?.userId === userId ? former.email : undefined;
}

async function mailOf(
  { database }: MailTools,
  { practiceId, about, subjectId }: MailTicket,
  context: MailContext,
  now: number,
): Promise<Omit<Mail, 'to'> | undefined> {
  switch (about) {
    case 'audit_entry': {
      const entry = await getAuditEntry(database, practiceId, subjectId);
      const action = entry && sensitiveActionOf(entry);
      return action && auditMail(context, { ...entry, action });
    }
    case 'webhook.endpoint.failing':
    case 'webhook.endpoint.disabled': {
      const endpoint = await getWebhookEndpoint(database, practiceId, subjectId);
      return endpoint && endpointMail(context, about, endpoint);
    }
    case 'session.payment.returned':
      return returnMail(context, await getExistingSession(database, subjectId));
    case 'session.payment.failed':
    case 'session.payment.refunded':
    case 'session.payment.refund_failed':
    case 'session.payment.succeeded':
    case 'session.payment.link_requested':
      return sessionMail(context, about, subjectId);
    case 'daily_summary': {
      const summary = await readDailySummary({ database }, context.practice, subjectId, now);
      return summary && summaryMail(context, subjectId, summary);
    }
  }
}
