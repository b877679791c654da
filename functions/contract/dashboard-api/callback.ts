import { wrongHost } from '../origin-secret.ts';
import { none, takesNothing } from '../route.ts';
import type { DashboardRoute } from './dashboard-route.ts';

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

/** Ends the start page's address after a sign-in: without it, that page does not ask the API who is signed in. */
export type SignedInMark = '#signed-in';

export function pageAfterSignIn(returnTo: string): string {
  const mark: SignedInMark = '#signed-in';
  return /^\/(\?|$)/.test(returnTo) ? returnTo + mark : returnTo;
}

export const callbackRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/api/dashboard/callback',
  access: 'anyone',
  summary: 'Finish a sign-in',
  description: 'The issuer sends the browser here. Redirects it to the dashboard. Works once per sign-in.',
  status: 302,
  response: none,
  problems: wrongHost,
} as const satisfies DashboardRoute;
