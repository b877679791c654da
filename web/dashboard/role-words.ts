import type { Role } from './practice.ts';

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
