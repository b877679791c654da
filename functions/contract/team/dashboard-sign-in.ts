import * as z from 'zod/mini';
import { type DashboardRoute, ofDashboard, signedInProblems } from '../dashboard-route.ts';
import { wrongHost } from '../origin-secret.ts';
import { bodyProblems } from '../problems.ts';
import { none } from '../route.ts';

/** What went wrong, in the query of the page that the browser is sent to. */
export type SignInProblem =
  /** The sign-in started too long ago or in another browser, or was already finished. */
  | 'sign_in_expired'
  /** The issuer refused the user, or the user gave up. */
  | 'sign_in_refused'
  /** The issuer did not ask for the credentials again, or did not say when it did. */
  | 'sign_in_not_repeated'
  | 'sign_in_failed';

export function problemPage(problem: SignInProblem): string {
  return `/?problem=${problem}`;
}

/** Added to the start page's address after a sign-in: without it, that page does not ask the API who is signed in. */
export type SignedInMark = '#signed-in';

export function pageAfterSignIn(returnTo: string): string {
  const mark: SignedInMark = '#signed-in';
  return /^\/(\?|$)/.test(returnTo) ? returnTo + mark : returnTo;
}

const signOutBody = z.strictObject({ everywhere: z._default(z.boolean(), false) });

/** If `signOutUrl` is present, the page goes there to sign out of the issuer too. */
const signedOut = z.object({ signOutUrl: z.optional(z.string()) });
export type SignedOut = z.infer<typeof signedOut>;

export const signInRoutes = {
  /** `return`: where to go afterward. `again=1`: the issuer asks for credentials even if the user is signed in. */
  beginSignIn: {
    ...ofDashboard('anyone', 'GET', '/sign-in'),
    summary: 'Sign in',
    description: 'Redirects the browser to the issuer. Takes `return`, a path of the dashboard, and `again=1`.',
    status: 302,
    response: none,
    problems: wrongHost,
  },
  finishSignIn: {
    ...ofDashboard('anyone', 'GET', '/callback'),
    summary: 'Finish a sign-in',
    description: 'The issuer sends the browser here. Redirects it to the dashboard. Works once per sign-in.',
    status: 302,
    response: none,
    problems: wrongHost,
  },
  signOut: {
    ...ofDashboard('signed_in', 'POST', '/sign-out'),
    summary: 'Sign out',
    description: 'Ends this dashboard session, or with `everywhere` every session of the user.',
    body: signOutBody,
    response: signedOut,
    problems: { ...signedInProblems, ...bodyProblems },
  },
} as const satisfies Readonly<Record<string, DashboardRoute>>;
