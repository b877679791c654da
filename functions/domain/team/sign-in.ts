import * as z from 'zod/mini';
import { isoTime, minute } from '../time.ts';

/** A sign-in that has started and waits for the issuer's answer. */
export const signIn = z.object({
  /** The hash of the cookie's value. */
  signInId: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  /** Whether the issuer was asked to request credentials again. */
  again: z.boolean(),
  createdAt: isoTime,
});
export type SignIn = z.infer<typeof signIn>;

export const signInLifetime = 10 * minute;

/** Issuers' clocks differ from ours, and `auth_time` has whole seconds. */
export const clockSkew = minute;

const page = /^\/(?![/\\]|api\/)[\w/.~?&=%+*,:!@$'();-]{0,1000}$/;

/** Returns a page of the dashboard, never another site or an API route. */
export function returnPath(asked: string | null | undefined): string {
  return typeof asked === 'string' && page.test(asked) ? asked : '/';
}
