import type { Role } from './practice.ts';
import type { KeySummary } from '../../functions/contract/practices/dashboard-keys.ts';

interface RoleWords {
  readonly label: string;
  readonly article: string;
  readonly may: string;
}

export const roleWords: Readonly<Record<Role, RoleWords>> = {
  viewer: {
    label: 'Viewer',
    article: 'a viewer',
    may: 'Sees everything except patients’ names and their authorizations.',
  },
  staff: {
    label: 'Staff',
    article: 'staff',
    may: 'Also sees names and authorizations, creates and cancels sessions, replaces links, resends and replays webhooks.',
  },
  admin: {
    label: 'Admin',
    article: 'an admin',
    may: 'Also changes keys, webhooks, settings and the team, and erases patients.',
  },
};

const roles: readonly Role[] = ['viewer', 'staff', 'admin'];
export const roleOptions = roles.map((role) => ({
  value: role,
  label: roleWords[role].label,
  hint: roleWords[role].may,
}));

export function roleOf(value: string): Role {
  return roles.find((role) => role === value) ?? 'viewer';
}

type Scope = KeySummary['scopes'][number];

export const scopeWords: Readonly<Record<Scope, { readonly label: string; readonly hint: string }>> = {
  'sessions:read': { label: 'Read sessions', hint: 'Show and list sessions.' },
  'sessions:write': { label: 'Create sessions', hint: 'Create and cancel sessions, and erase patients.' },
  'events:read': { label: 'Read events', hint: 'List the webhooks of the last 30 days, to recover missed ones.' },
  'payouts:read': {
    label: 'Read payouts',
    hint: 'What reached your bank, and which invoices it was for. For accounting software.',
  },
  'webhooks:write': {
    label: 'Manage webhook endpoints',
    hint: 'Only for software that sets up its own webhooks: with this, a stolen key can send your events elsewhere. Every admin gets an email about each change.',
  },
};
export const scopes: readonly Scope[] = [
  'sessions:read',
  'sessions:write',
  'events:read',
  'payouts:read',
  'webhooks:write',
];
export const scopesByDefault: readonly Scope[] = ['sessions:read', 'sessions:write', 'events:read'];
