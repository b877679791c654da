import * as z from 'zod/mini';
import { firstUlidAt, ulid, type RandomBytes } from '../identifier.ts';
import { isoTime, toIso } from '../time.ts';

const byUser = z.object({
  kind: z.literal('user'),
  userId: z.string(),
  email: z.optional(z.string()),
  /** The platform that they are a member of, if they acted for the practice through it. */
  platformId: z.optional(z.string()),
  /** The viewer's address, as the distribution reports it. */
  address: z.string(),
  /** The connection's address, if it differs. */
  sourceAddress: z.optional(z.string()),
});
export type UserAuthor = z.infer<typeof byUser>;
const byApiKey = z.object({
  kind: z.literal('api_key'),
  keyId: z.string(),
  name: z.string(),
  /** The platform whose key it is, if it acted for the practice. */
  platformId: z.optional(z.string()),
  address: z.string(),
});
export type ApiKeyAuthor = z.infer<typeof byApiKey>;
/** Someone with the stack's AWS credentials, who ran the operator's command. */
const byOperator = z.object({ kind: z.literal('operator') });

/** A change that the payment processor reported. */
const byProcessor = z.object({ kind: z.literal('processor') });

export const author = z.discriminatedUnion('kind', [byUser, byApiKey, byOperator, byProcessor]);
export type Author = z.infer<typeof author>;

/** The platform that they acted for, if any. */
export function platformOf(by: Author): string | undefined {
  return by.kind === 'user' || by.kind === 'api_key' ? by.platformId : undefined;
}

export const auditActions = [
  'practice.created',
  'practice.updated',
  'practice.suspended',
  'practice.resumed',
  'practice.exported',
  'practice.closed',
  'practice.joined_platform',
  'practice.left_platform',
  'platform.created',
  'platform.updated',
  'test_bank_password.changed',
  'deposit_destination.opened',
  'deposit_destination.changed',
  'deposit_destination.stopped',
  'deposit_requirements.due',
  'deposit_requirements.met',
  'debits.stopped',
  'debits.resumed',
  'terms.accepted',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.moved',
  'webhook_endpoint.enabled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
  'webhook_endpoint.tested',
  'signing_secret.rotated',
  'signing_secret.revealed',
  'deliveries.replayed',
  'delivery.resent',
  'session.created',
  'session.cancelled',
  'session.cancellation_requested',
  'session.link_replaced',
  'session.refunded',
  'session.patient_erased',
  'invitation.created',
  'invitation.revoked',
  'member.added',
  'member.role_changed',
  'member.alerts_changed',
  'member.removed',
  'member.mfa_reset',
] as const;
export type AuditAction = (typeof auditActions)[number];

const auditDetails = z.record(z.string(), z.string());

export const auditEntry = z.object({
  practiceId: z.string(),
  entryId: z.string(),
  at: isoTime,
  author,
  action: z.enum(auditActions),
  /** The ID of what changed, such as a key or a member. */
  target: z.optional(z.string()),
  /** Short facts for a reader; never a secret or a patient's name. */
  details: z.optional(auditDetails),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export interface Audited {
  readonly author: Author;
}

export interface NewEntry extends Pick<AuditEntry, 'practiceId' | 'author' | 'action' | 'target'> {
  readonly details?: Readonly<Record<string, string | undefined>>;
}

/** Sorts before the ID of every entry written at `time` or later. */
export function firstEntryIdAt(time: number): string {
  return `aud_${firstUlidAt(time)}`;
}

/** Leaves out details that are undefined. */
export function newAuditEntry(
  { randomBytes }: { readonly randomBytes: RandomBytes },
  { details = {}, ...entry }: NewEntry,
  now: number,
): AuditEntry {
  const known = Object.entries(details).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    ...entry,
    entryId: `aud_${ulid(now, randomBytes)}`,
    at: toIso(now),
    ...(known.length > 0 && { details: z.parse(auditDetails, Object.fromEntries(known)) }),
  };
}
