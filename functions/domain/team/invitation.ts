import * as z from 'zod/mini';
import { author } from './audit-entry.ts';
import { sha256 } from '../identifier.ts';
import { roles } from './member.ts';
import { day, isoTime } from '../time.ts';

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
