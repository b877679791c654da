import type { Scope } from '../domain/practices/api-key.ts';
import type { Problems } from './problems.ts';
import type { Route } from './route.ts';

/** `any`: a key with any scope will do. */
export type PracticeRoute = Route & { readonly scope: Scope | 'any' };

export const keyProblems = {
  api_key_missing: { status: 401, title: 'An API key is required.' },
  api_key_invalid: { status: 401, title: 'The API key is not valid.' },
  api_key_expired: { status: 401, title: 'The API key has expired.' },
  api_key_revoked: { status: 401, title: 'The API key has been revoked.' },
  api_key_wrong_mode: { status: 401, title: 'The API key is for the wrong mode (sandbox or live).' },
  scope_missing: { status: 403, title: 'The API key lacks the required scope.' },
  rate_limited: { status: 429, title: 'The practice sends too many requests.' },
} as const satisfies Problems;
