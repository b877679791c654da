import { platformOf, type AuditEntry, type Author } from '../domain/team/audit-entry.ts';
import { unreachable } from '../domain/fault.ts';
import { depositNeeds, type DepositNeed } from '../domain/practices/deposit-needs.ts';
import { isPlatformId } from '../domain/practices/platform.ts';
import type { Practice } from '../domain/practices/practice.ts';
import type { SensitiveAction } from '../domain/team/sensitive-action.ts';
import { attemptsAfter, type AttemptOutcome } from '../domain/webhooks/delivery.ts';
import type { RetryPolicy } from '../domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Mail } from '../messages/team/mail.ts';

export type MailText = Omit<Mail, 'to'>;

export interface MailContext {
  /** A practice, or a platform whose members get the email. */
  readonly practice: Pick<Practice, 'practiceId' | 'name' | 'timeZone'>;
  readonly dashboardUrl: string;
}

const done: Readonly<Record<SensitiveAction, string>> = {
  'practice.exported': "All of the practice's data was exported",
  'practice.closed': 'The practice was closed',
  'practice.joined_platform': 'A platform can act for the practice now',
  'practice.left_platform': 'A platform no longer acts for the practice',
  'webhook_endpoint.created': 'A webhook endpoint was added',
  'webhook_endpoint.updated': "A webhook endpoint's events or retries were changed",
  'webhook_endpoint.moved': 'A webhook endpoint was moved to another URL',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted',
  'signing_secret.revealed': 'A signing secret was revealed',
  'signing_secret.rotated': 'A signing secret was rotated',
  'invitation.created': 'Someone was invited to your team',
  'invitation.revoked': 'An invitation was revoked',
  'member.added': 'Someone joined your team',
  'member.role_changed': "A team member's role was changed",
  'member.removed': 'A team member was removed',
  'member.mfa_reset': "A team member's second factor was reset",
  'practice.updated': 'Important settings were changed',
  'api_key.created': 'An API key was created',
  'api_key.rotated': 'An API key was rotated',
  'api_key.revoked': 'An API key was revoked',
  'deposit_destination.opened': 'Someone asked for the page that sets where payments are deposited',
  'deposit_destination.changed': 'Where payments are deposited changed',
  'deposit_destination.stopped': 'Payments are no longer deposited',
  'deposit_requirements.due': 'The payment processor needs something by a deadline',
  'debits.stopped': 'Patients can no longer pay: the payment processor stopped',
  'debits.resumed': 'Patients can pay again',
  'terms.accepted': 'The terms for live payments were accepted',
  'session.refunded': 'Someone asked for a refund of a payment',
};

/** What the platform's own admins read. */
const doneAtPlatform: Partial<Readonly<Record<SensitiveAction, string>>> = {
  'practice.joined_platform': 'A practice was added',
  'practice.left_platform': 'Your access to a practice ended',
};

/** Leaves out the details: they are only for people who sign in. */
export function auditMail(
  context: MailContext,
  { action, author, at, details }: Pick<AuditEntry, 'author' | 'at' | 'details'> & { readonly action: SensitiveAction },
): MailText {
  const { practiceId, name, timeZone } = context.practice;
  const time = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'long' });
  const when = time.format(Date.parse(at));
  const what = (isPlatformId(practiceId) && doneAtPlatform[action]) || done[action];
  const textOf = () => {
    switch (action) {
      case 'debits.stopped':
        return underDeposits(context, stopped(when));
      case 'debits.resumed':
        return `Since ${when}, the payment processor has been taking payments for the practice again. Links that could not be paid in the meantime work again: you do not need to do anything.\n`;
      case 'deposit_requirements.due':
        return underDeposits(context, dueBy(time, details));
      default:
        return `${what}.

Who:  ${nameOf(author)}
When: ${when}
${author.kind === 'operator' || author.kind === 'processor' ? '' : `From: ${addressesOf(author)}\n`}
See what changed in the audit log:
${context.dashboardUrl}/${practiceId}/audit-log

${remedyOf(context, action, author)}
`;
    }
  };
  return { subject: `${what} at ${name}`, text: textOf() };
}

function underDeposits({ practice, dashboardUrl }: MailContext, fact: string): string {
  return `${fact}

Give the processor what it needs, under Deposits:
${dashboardUrl}/${practice.practiceId}/settings/practice
`;
}

function stopped(when: string): string {
  return `Since ${when}, the payment processor has not been taking payments for the practice. Links stay open: they say that patients cannot pay right now. Payments that patients have authorized continue if the processor lets them.`;
}

function dueBy(
  time: Intl.DateTimeFormat,
  { deadline = '', needs = '' }: NonNullable<AuditEntry['details']> = {},
): string {
  const wanted = depositNeeds.filter((need) => needs.split(' ').includes(need)).map((need) => `- ${needWords[need]}`);
  return `The payment processor stops the practice's payments unless it gets this by ${time.format(Date.parse(deadline))}:

${wanted.join('\n')}`;
}

const needWords: Readonly<Record<DepositNeed, string>> = {
  bank_account: 'The bank account that receives the money',
  business: 'Facts about the practice: its legal name, address, phone number and kind of business',
  website: 'The practice’s website, or a description of what it does',
  tax_id: 'A tax ID: the practice’s EIN, or the number of a person',
  representative: 'The person who represents the practice: name, address, date of birth',
  owners: 'Who owns or directs the practice',
  document: 'A document, such as a photo of an ID',
  agreement: 'Your consent to the payment processor’s own terms',
  other: 'Something more, which the payment processor’s page shows',
};

const byYourTeam = 'If nobody on your team meant to do this, remove that member and rotate your keys and secrets';

/** What to do about a change that nobody intended. */
const remedies: Readonly<Record<Author['kind'], string>> = {
  user: byYourTeam,
  processor: byYourTeam,
  api_key: 'If you did not expect this from the software that uses this key, revoke the key, then undo the change',
  operator: 'If you do not know why, ask the operator',
};

function remedyOf(
  { practice: { practiceId }, dashboardUrl }: MailContext,
  action: SensitiveAction,
  author: Author,
): string {
  if (platformOf(author) === undefined && (action !== 'practice.joined_platform' || isPlatformId(practiceId)))
    return `${remedies[author.kind]}.`;
  return `If this should not be so, an admin of the practice can end the platform's access:
${dashboardUrl}/${practiceId}/settings/practice`;
}

function nameOf(author: Author): string {
  const acting = platformOf(author) === undefined ? '' : ', for the platform of the practice';
  switch (author.kind) {
    case 'user':
      return `${onOneLine(author.email ?? author.userId)}${acting}`;
    case 'api_key':
      return `the API key “${onOneLine(author.name)}” (${author.keyId})${acting}`;
    case 'operator':
      return 'the operator of the payment service';
    case 'processor':
      return 'the payment processor';
    default:
      return unreachable(author);
  }
}

/** Key names and an issuer's email addresses that were stored earlier may contain line breaks, which would forge lines in an email. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, '\ufffd');
}

function addressesOf(author: Exclude<Author, { kind: 'operator' | 'processor' }>): string {
  const connected = author.kind === 'user' ? author.sourceAddress : undefined;
  return connected === undefined ? author.address : `${author.address}, connected from ${connected}`;
}

/** Names only hosts: a URL may contain a token. */
export function endpointMail(
  { practice, dashboardUrl }: MailContext,
  about: 'webhook.endpoint.failing' | 'webhook.endpoint.disabled',
  { url, lastFailure, retryPolicy }: Pick<WebhookEndpoint, 'url' | 'lastFailure' | 'retryPolicy'>,
): MailText {
  const { practiceId, name } = practice;
  const { host } = new URL(url);
  const page = `${dashboardUrl}/${practiceId}/settings/webhooks`;
  const meaning = `What each answer means, and what to do:
${dashboardUrl}/docs/webhooks#why-did-an-attempt-fail
`;
  return about === 'webhook.endpoint.disabled'
    ? {
        subject: `Webhooks for ${name} were turned off`,
        text: `We stopped sending webhooks to ${host}: it said it is gone, or every attempt of the last 5 days failed.${lastFailure ? ` ${resultOf(lastFailure)}` : ''}

Fix it, then enable the endpoint and replay what it missed:
${page}

${meaning}`,
      }
    : {
        subject: `Webhooks for ${name} are failing`,
        text: `Webhooks to ${host} are failing.${lastFailure ? ` ${resultOf(lastFailure)} ${retriesAfter(lastFailure, retryPolicy)}` : ''} If they keep failing for 5 days, we turn the endpoint off.

See each attempt:
${page}

${meaning}`,
      };
}

function resultOf({ statusCode, error, redirectsTo }: AttemptOutcome): string {
  if (statusCode === undefined) return `The last attempt ended with: ${error?.replaceAll('_', ' ') ?? 'no answer'}.`;
  if (redirectsTo === undefined) return `The last answer was HTTP ${statusCode}.`;
  const host = URL.canParse(redirectsTo) ? new URL(redirectsTo).host : 'another address';
  return `The last answer was HTTP ${statusCode}, a redirect to ${host}. We do not follow redirects: change the endpoint's URL.`;
}

function retriesAfter(failure: AttemptOutcome, retryPolicy: RetryPolicy | undefined): string {
  const attempts = attemptsAfter(failure, retryPolicy);
  return attempts === 1
    ? 'A webhook that ends like this is not sent again: once the cause is fixed, replay what failed.'
    : `We send each webhook up to ${attempts} times.`;
}
