import type { AlertEvent } from '../contract/webhooks/tickets.ts';
import { formatDollars } from '../domain/payments/authorization.ts';
import { hasRefund } from '../domain/payments/refund.ts';
import type { Session } from '../domain/sessions/session.ts';
import type { DailySummary, Total } from './daily-summary.ts';
import type { MailContext, MailText } from './mails.ts';

// They say nothing about the patient or the invoice: email is not private.

interface Words {
  readonly subject: (practice: string) => string;
  readonly happened: string;
  /** Leads to the session's page. */
  readonly see: string;
}

type AboutSession = Exclude<Extract<AlertEvent['about'], `session.${string}`>, 'session.payment.returned'>;

const words: Readonly<Record<AboutSession, Words>> = {
  'session.payment.failed': {
    subject: (practice) => `A payment to ${practice} failed`,
    happened: 'A payment that a patient had authorized failed. No money moved, and its invoice is unpaid.',
    see: 'See why, and what to do',
  },
  'session.payment.succeeded': {
    subject: (practice) => `A payment to ${practice} arrived`,
    happened: "A patient's bank has paid. There is nothing to do.",
    see: 'See the payment',
  },
  'session.payment.refunded': {
    subject: (practice) => `A refund by ${practice} arrived`,
    happened: "A patient's bank has taken a refund. There is nothing to do.",
    see: 'See the payment',
  },
  'session.payment.refund_failed': {
    subject: (practice) => `A refund by ${practice} failed`,
    happened:
      "A patient's bank did not take a refund, so the patient has not been paid back. You have the money again, unless your payments go through the account of whoever operates the payment service: then it is there, and they pass it on to you. Ask them for it if it is not in your payouts within a week.",
    see: 'See the payment, and refund it again or another way',
  },
  'session.payment.link_requested': {
    subject: (practice) => `A patient asked ${practice} for a new payment link`,
    happened: 'A payment link expired before the invoice was paid. Whoever has the link asked for a new one.',
    see: 'See the session, and create a new link',
  },
};

export function sessionMail(context: MailContext, about: AboutSession, sessionId: string): MailText {
  const { subject, happened, see } = words[about];
  return { subject: subject(context.practice.name), text: leadingTo(context, sessionId, happened, see) };
}

export function returnMail(
  context: MailContext,
  { sessionId, refund }: Pick<Session, 'sessionId' | 'refund'>,
): MailText {
  const { name } = context.practice;
  return hasRefund(refund)
    ? {
        subject: `A patient of ${name} was paid back twice`,
        text: leadingTo(
          context,
          sessionId,
          'A bank took back a payment that you had refunded, so the patient got that money twice. Only the patient can give it back: ask them to. Do not send a new link before that.',
          'See the payment',
        ),
      }
    : {
        subject: `A payment to ${name} was returned`,
        text: leadingTo(
          context,
          sessionId,
          'A bank took back a payment that had succeeded. Its invoice is unpaid again.',
          'See why, and what to do',
        ),
      };
}

function leadingTo({ practice, dashboardUrl }: MailContext, sessionId: string, happened: string, see: string): string {
  return `${happened}

${see}:
${dashboardUrl}/${practice.practiceId}/sessions/${sessionId}
`;
}

/** Added to every email that a member chose. The last one in an hour says where the others are. */
export function withFooter({ practice, dashboardUrl }: MailContext, mail: MailText, isLast: boolean): MailText {
  const home = `${dashboardUrl}/${practice.practiceId}`;
  const others = `If more of these follow within the hour, we do not mail them. The dashboard shows all of them:
${home}

`;
  return {
    ...mail,
    text: `${mail.text}
${isLast ? others : ''}Choose what you get emails about:
${home}/team
`,
  };
}

export function summaryMail({ practice, dashboardUrl }: MailContext, day: string, summary: DailySummary): MailText {
  const date = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' }).format(Date.parse(day));
  const { arrived, failed, returned, refunded, refundFailed, linkRequests, waiting } = summary;
  const lines = [
    arrived.count > 0 && `Arrived: ${amountOf(arrived)}`,
    failed.count > 0 && `Failed: ${amountOf(failed)}`,
    returned.count > 0 && `Returned by the bank: ${amountOf(returned)}`,
    refunded > 0 && `Refunded: ${refunded}`,
    refundFailed > 0 && `Refunds that failed: ${refundFailed}`,
    linkRequests.count > 0 && `Asked for a new link: ${amountOf(linkRequests)}`,
  ].filter((line) => line !== false);
  const more = waiting.isMore ? ', or more' : '';
  return {
    subject: `Payments to ${practice.name} on ${date}`,
    text: `${lines.join('\n')}

Waiting to be paid now: ${waiting.count === 0 ? 'nothing' : amountOf(waiting) + more}

See what needs attention, and every payment:
${dashboardUrl}/${practice.practiceId}
`,
  };
}

function amountOf({ count, cents }: Total): string {
  return `${count} (${formatDollars(cents)})`;
}
