import * as z from 'zod/mini';
import type { Role } from '../domain/team/member.ts';
import { wrongHost } from './origin-secret.ts';
import type { Problems } from './problems.ts';
import { takesNothing, type Route } from './route.ts';

export interface MemberAccess {
  readonly role: Role;
  /** Also requires a sign-in within the last 5 minutes, always or only in live mode. */
  readonly recentSignIn?: true | 'live_mode';
  /** Refuses members of the practice's platform: only the practice may consent, or the effect would outlast their access. */
  readonly ownMembersOnly?: true;
  /** `too`: the ID in the path may be a platform's, called by its own members. `only`: it must be. By default, it may not. */
  readonly platform?: 'only' | 'too';
}

/** A `signed_in` route is about the user. A route with a role is about the practice in its path, or a platform if it says so. */
export type DashboardRoute = Route & { readonly access: 'anyone' | 'signed_in' | MemberAccess };
export type MemberRoute = Route & { readonly access: MemberAccess };

export const practiceParams = z.object({ practiceId: z.string() });

/** Defaults for every route of the dashboard. */
export function ofDashboard<
  const Access extends DashboardRoute['access'],
  const Method extends Route['method'],
  const Path extends string,
>(access: Access, method: Method, path: Path) {
  return { ...takesNothing, access, method, path: `/api/dashboard${path}`, status: 200 } as const;
}

/** Defaults for a route about a practice. */
export function aboutPractice<const Method extends Route['method'], const Path extends string>(
  access: MemberAccess,
  method: Method,
  path: Path,
) {
  return { ...ofDashboard(access, method, `/practices/{practiceId}${path}`), params: practiceParams } as const;
}

/** Defaults for routes about what practices and platforms both have: keys, endpoints, members. */
export function aboutOwner<const Method extends Route['method'], const Path extends string>(
  access: MemberAccess,
  method: Method,
  path: Path,
) {
  return aboutPractice({ ...access, platform: 'too' }, method, path);
}

/** A form on another site cannot send this header. */
export const changeHeader = 'x-dashboard';

/** Sent with requests that the page repeats by itself, so that polling does not keep an idle user signed in. */
export const backgroundHeader = 'x-background';

export const signedInProblems = {
  ...wrongHost,
  not_signed_in: { status: 401, title: 'You are not signed in.' },
  cross_site_request: { status: 403, title: 'The request did not come from the dashboard.' },
} as const satisfies Problems;

export const memberProblems = {
  ...signedInProblems,
  practice_not_found: { status: 404, title: 'There is no such practice.' },
  role_too_low: { status: 403, title: 'Your role does not allow this.' },
  own_members_only: { status: 403, title: "Only the practice's own members may do this." },
  sign_in_too_old: { status: 403, title: 'Sign in again to do this.' },
} as const satisfies Problems;
