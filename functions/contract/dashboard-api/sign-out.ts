import * as z from 'zod/mini';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { signedInProblems, type DashboardRoute } from './dashboard-route.ts';

const signOutBody = z.strictObject({ everywhere: z._default(z.boolean(), false) });

/** If `signOutUrl` is present, the page goes there to sign out of the issuer too. */
const signedOut = z.object({ signOutUrl: z.optional(z.string()) });
export type SignedOut = z.infer<typeof signedOut>;

export const signOutRoute = {
  ...takesNothing,
  method: 'POST',
  path: '/api/dashboard/sign-out',
  access: 'signed_in',
  summary: 'Sign out',
  description: 'Ends this dashboard session, or with `everywhere` every session of the user.',
  body: signOutBody,
  status: 200,
  response: signedOut,
  problems: { ...signedInProblems, ...bodyProblems },
} as const satisfies DashboardRoute;
