import type { Scope } from '../../domain/api-key.ts';
import type { PracticeProblemCode } from '../problems.ts';
import type { Route } from '../route.ts';

/** A route that is called with an API key of this scope. */
export type PracticeRoute = Route & { readonly scope: Scope; readonly problems: readonly PracticeProblemCode[] };

export const keyProblems = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'api_key_wrong_mode',
  'scope_missing',
  'internal_error',
] as const;
