import type { Scope } from '../domain/practices/api-key.ts';
import type { Problems } from './problems.ts';
import { takesNothing, type Route } from './route.ts';

/**
 * The scope `any` accepts a key with any scope.
 *
 * A route is about one practice, which a platform's key names in a header. `platform` lets a platform's key call it about the
 * platform itself:
 * - `only`: practices' keys cannot call it.
 * - `too`: when the key sends no such header.
 * - `itself`: it must leave the header out, because what the route creates would outlast the platform's access to a practice.
 */
export type PracticeRoute = Route & { readonly scope: Scope | 'any'; readonly platform?: 'only' | 'too' | 'itself' };

/** What a route has, unless it says otherwise. */
export function withKey(scope: PracticeRoute['scope'], method: Route['method'], path: string) {
  return { ...takesNothing, scope, method, path, status: 200 } as const;
}

export const practiceHeader = 'practice-id';

export const keyProblems = {
  api_key_missing: { status: 401, title: 'An API key is required.' },
  api_key_invalid: { status: 401, title: 'The API key is not valid.' },
  api_key_expired: { status: 401, title: 'The API key has expired.' },
  api_key_revoked: { status: 401, title: 'The API key has been revoked.' },
  api_key_wrong_mode: { status: 401, title: 'The API key is for the wrong mode (sandbox or live).' },
  practice_id_missing: { status: 400, title: 'The header Practice-Id is required.' },
  practice_id_not_allowed: { status: 400, title: 'The header Practice-Id is not allowed.' },
  practice_not_found: { status: 404, title: 'There is no such practice.' },
  scope_missing: { status: 403, title: 'The API key lacks the required scope.' },
  rate_limited: { status: 429, title: 'The practice sends too many requests.' },
} as const satisfies Problems;
