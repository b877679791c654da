import * as z from 'zod/mini';
import { sha256 } from '../identifier.ts';
import { isoTime, day } from '../time.ts';
import { author } from './audit-entry.ts';

/** From fewest to most permissions. */
export const roles = ['viewer', 'staff', 'admin'] as const;
export type Role = (typeof roles)[number];

export function allows(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** What the issuer says about who signed in. `email` is for display: it grants nothing. */
export const user = z.object({
  userId: z.string(),
  issuer: z.string(),
  subject: z.string(),
  email: z.optional(z.string()),
});
export type User = z.infer<typeof user>;

/** The topics that a member can choose to get emails about. */
export const mailTopics = [
  'payment_failed',
  'payment_returned',
  'payment_refunded',
  'payment_arrived',
  'link_requested',
  'endpoint_failing',
  'daily_summary',
] as const;
export const mailTopic = z.enum(mailTopics);
export type MailTopic = z.infer<typeof mailTopic>;

export const member = z.extend(user, {
  practiceId: z.string(),
  role: z.enum(roles),
  mailTopics: z.readonly(z.array(mailTopic)),
  createdAt: isoTime,
});
export type Member = z.infer<typeof member>;

/** The topics that a new member gets emails about until they choose. */
export function defaultTopics(role: Role): readonly MailTopic[] {
  return role === 'admin' ? ['payment_failed', 'payment_returned', 'link_requested', 'endpoint_failing'] : [];
}

/** An issuer never reuses a subject (OpenID Connect Core §2). */
export function userIdOf({ issuer, subject }: Pick<User, 'issuer' | 'subject'>): string {
  return `usr_${sha256(JSON.stringify([issuer, subject]))}`;
}

/** Accepting or revoking it deletes the row. */
export const invitation = z.object({
  /** The hash of the link's token. */
  invitationId: z.string(),
  practiceId: z.string(),
  /** For display: whoever has the link may accept. */
  email: z.string(),
  role: z.enum(roles),
  createdAt: isoTime,
  expiresAt: isoTime,
  createdBy: author,
});
export type Invitation = z.infer<typeof invitation>;

export const invitationLifetime = 7 * day;

export function invitationIdOf(token: string): string {
  return sha256(token);
}
