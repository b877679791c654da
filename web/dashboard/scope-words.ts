import type { KeySummary } from '../../functions/contract/practices/dashboard-keys.ts';

type Scope = KeySummary['scopes'][number];

export const scopeWords: Readonly<Record<Scope, { readonly label: string; readonly hint: string }>> = {
  'sessions:read': { label: 'Read sessions', hint: 'Show and list sessions.' },
  'sessions:write': { label: 'Create sessions', hint: 'Create and cancel sessions, and erase patients.' },
  'events:read': { label: 'Read events', hint: 'List the webhooks of the last 30 days, to recover missed ones.' },
  'webhooks:write': {
    label: 'Manage webhook endpoints',
    hint: 'Only for software that sets up its own webhooks: with this, a stolen key can send your events elsewhere. Every admin gets an email about each change.',
  },
};
export const scopes: readonly Scope[] = ['sessions:read', 'sessions:write', 'events:read', 'webhooks:write'];
export const scopesByDefault: readonly Scope[] = ['sessions:read', 'sessions:write', 'events:read'];
