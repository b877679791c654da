import type { AuditAction } from './audit-entry.ts';
import type { Mode } from './mode.ts';

const always = [
  'webhook_endpoint.created',
  'webhook_endpoint.moved',
  'signing_secret.revealed',
  'signing_secret.rotated',
  'invitation.created',
  'invitation.revoked',
  'member.added',
  'member.role_changed',
  'member.removed',
] as const satisfies readonly AuditAction[];

const whereLive = [
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'deposit_destination.opened',
  'deposit_destination.changed',
  'terms.accepted',
] as const satisfies readonly AuditAction[];

export type SensitiveAction = (typeof always)[number] | (typeof whereLive)[number];

/** Every admin is mailed of each. */
export function sensitiveActions(mode: Mode): readonly SensitiveAction[] {
  return mode === 'live' ? [...always, ...whereLive] : always;
}

export function isSensitive(action: AuditAction): action is SensitiveAction {
  const actions: readonly AuditAction[] = [...always, ...whereLive];
  return actions.includes(action);
}
