import type { AuditLogPage } from '../../functions/contract/team/dashboard-team.ts';
import { formatDollars } from './format.ts';
import { mailTopicWords, roleWords } from './practice.ts';
import { outcomeWords } from './session-words.ts';

export type AuditEntry = AuditLogPage['data'][number];

export const auditWords: Readonly<Record<AuditEntry['action'], string>> = {
  'practice.created': 'Created the practice',
  'practice.updated': 'Changed the practice’s settings',
  'practice.suspended': 'Suspended new payments',
  'practice.resumed': 'Resumed payments',
  'practice.exported': "Exported all of the practice's data",
  'practice.closed': 'Closed the practice',
  'practice.joined_platform': 'Let a platform act for the practice',
  'practice.left_platform': 'Ended the platform’s access to the practice',
  'platform.created': 'Created the platform',
  'platform.updated': 'Changed the platform’s settings',
  'test_bank_password.changed': 'Issued a new test bank password',
  'deposit_destination.opened': 'Asked for the page that sets where payments are deposited',
  'deposit_destination.changed': 'Deposits became ready, or go to another account',
  'deposit_destination.stopped': 'Deposits stopped',
  'deposit_requirements.due': 'Set a deadline for what it needs',
  'deposit_requirements.met': 'Needs nothing more by a deadline',
  'debits.stopped': 'Stopped taking payments',
  'debits.resumed': 'Takes payments again',
  'terms.accepted': 'Accepted the terms',
  'api_key.created': 'Created an API key',
  'api_key.rotated': 'Rotated an API key',
  'api_key.revoked': 'Revoked an API key',
  'webhook_endpoint.created': 'Added a webhook endpoint',
  'webhook_endpoint.updated': 'Changed a webhook endpoint',
  'webhook_endpoint.moved': 'Moved a webhook endpoint to another URL',
  'webhook_endpoint.enabled': 'Enabled a webhook endpoint',
  'webhook_endpoint.disabled': 'Disabled a webhook endpoint',
  'webhook_endpoint.deleted': 'Deleted a webhook endpoint',
  'webhook_endpoint.tested': 'Sent a test event',
  'signing_secret.rotated': 'Rotated a signing secret',
  'signing_secret.revealed': 'Revealed a signing secret',
  'deliveries.replayed': 'Replayed missed deliveries',
  'delivery.resent': 'Resent a delivery',
  'session.created': 'Created a payment link',
  'session.cancelled': 'Cancelled a payment',
  'session.cancellation_requested': 'Asked the bank to cancel a payment',
  'session.link_replaced': 'Replaced a payment link',
  'session.refunded': 'Asked for a refund of a payment',
  'session.patient_erased': 'Erased a patient’s details',
  'invitation.created': 'Invited someone',
  'invitation.revoked': 'Revoked an invitation',
  'member.added': 'Added a member',
  'member.role_changed': 'Changed a member’s role',
  'member.alerts_changed': 'Chose what they get emails about',
  'member.removed': 'Removed a member',
  'member.mfa_reset': 'Reset a member’s second factor',
};

interface AuthorWords {
  readonly who: string;
  /** The ID of the platform that they acted for. */
  readonly actedFor?: string | undefined;
  readonly from: string;
  readonly connectedFrom?: string | undefined;
}

export function authorWords({ author }: AuditEntry): AuthorWords {
  switch (author.kind) {
    case 'user':
      return {
        who: author.email ?? author.userId,
        actedFor: author.platformId,
        from: author.address,
        connectedFrom: author.sourceAddress,
      };
    case 'api_key':
      return { who: `API key ${author.name}`, actedFor: author.platformId, from: author.address };
    case 'operator':
      return { who: 'Service operator', from: 'Operator’s command' };
    case 'processor':
      return { who: 'Stripe', from: 'Its account for deposits' };
  }
}

/** `eventId` → "Event ID". */
export function detailLabel(name: string): string {
  if (name === 'mails') return 'Emails about';
  const words = name
    .replace(/Cents$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(id|url)\b/g, (initials) => initials.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

const values: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries({ ...mailTopicWords, ...roleWords }).map(([name, { label }]) => [name, label])),
  ...outcomeWords,
};

/** Uses the words of the settings and the lists. `removed` holds the names of settings. */
export function detailText(name: string, value: string): string {
  switch (name) {
    case 'amountCents':
    case 'applicationFeeCents':
      return formatDollars(Number(value));
    case 'removed':
      return value.split(' ').map(detailLabel).join(', ');
    case 'mails':
      return value
        .split(' ')
        .map((topic) => values[topic] ?? topic)
        .join('; ');
    case 'role':
    case 'from':
    case 'to':
    case 'status':
      return values[value] ?? value;
    default:
      return value;
  }
}
