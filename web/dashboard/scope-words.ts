import type { KeySummary } from '../../functions/contract/dashboard-api/api-key.ts';

type Scope = KeySummary['scopes'][number];

export const scopeWords: Readonly<Record<Scope, { readonly label: string; readonly hint: string }>> = {
  'sessions:read': { label: 'Read sessions', hint: 'Show and list sessions.' },
  'sessions:write': { label: 'Create sessions', hint: 'Create and cancel sessions.' },
};
export const scopes: readonly Scope[] = ['sessions:read', 'sessions:write'];
