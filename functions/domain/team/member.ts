import * as z from 'zod/mini';
import { sha256 } from '../identifier.ts';
import { isoTime } from '../time.ts';

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

export const member = z.extend(user, {
  practiceId: z.string(),
  role: z.enum(roles),
  wantsAlerts: z.boolean(),
  createdAt: isoTime,
});
export type Member = z.infer<typeof member>;

/** An issuer never reuses a subject (OpenID Connect Core §2). */
export function userIdOf({ issuer, subject }: Pick<User, 'issuer' | 'subject'>): string {
  return `usr_${sha256(JSON.stringify([issuer, subject]))}`;
}
