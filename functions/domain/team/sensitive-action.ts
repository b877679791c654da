import type { AuditAction, AuditEntry } from './audit-entry.ts';
import type { Mode } from '../mode.ts';
import type { Practice } from '../practices/practice.ts';

const always = [
  'practice.exported',
  'practice.closed',
  'practice.joined_platform',
  'practice.left_platform',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.moved',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
  'signing_secret.revealed',
  'signing_secret.rotated',
  'invitation.created',
  'invitation.revoked',
  'member.added',
  'member.role_changed',
  'member.removed',
  'member.mfa_reset',
] as const satisfies readonly AuditAction[];

const whereLive = [
  'practice.updated',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'deposit_destination.opened',
  'deposit_destination.changed',
  'deposit_destination.stopped',
  'deposit_requirements.due',
  'debits.stopped',
  'debits.resumed',
  'terms.accepted',
  'session.refunded',
] as const satisfies readonly AuditAction[];

export type SensitiveAction = (typeof always)[number] | (typeof whereLive)[number];

/** They decide how long patients' details are kept, whether an invoice can be paid twice, and whom patients turn to. */
const sensitiveSettings: readonly string[] = [
  'retentionMonths',
  'invoiceGuard',
  'name',
  'supportPhone',
  'supportEmail',
  'postalAddress',
  'privacyUrl',
  'termsUrl',
] satisfies readonly (keyof Practice)[];

/** Every admin gets an email about each of these. For `practice.updated`, only about sensitive settings. */
export function sensitiveActions(mode: Mode): readonly SensitiveAction[] {
  return mode === 'live' ? [...always, ...whereLive] : always;
}

type Changed = Pick<AuditEntry, 'action' | 'details'>;

/** Undefined if no email is sent about the entry. */
export function sensitiveActionOf({ action, details = {} }: Changed): SensitiveAction | undefined {
  if (action === 'practice.updated' && !changesSensitiveSetting(details)) return undefined;
  return [...always, ...whereLive].find((each) => each === action);
}

function changesSensitiveSetting({ removed = '', ...set }: NonNullable<AuditEntry['details']>): boolean {
  return [...Object.keys(set), ...removed.split(' ')].some((name) => sensitiveSettings.includes(name));
}

/** The admin who lost that role in the change. They get the email too: nobody else may be left to object. */
export function formerAdmin({
  action,
  target,
  details = {},
}: Pick<AuditEntry, 'action' | 'target' | 'details'>): { userId: string; email: string } | undefined {
  const { email, role, from } = details;
  const was = action === 'member.removed' ? role : action === 'member.role_changed' ? from : undefined;
  return was === 'admin' && target !== undefined && email !== undefined ? { userId: target, email } : undefined;
}
