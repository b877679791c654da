import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { KeySummary } from '../../functions/contract/practices/dashboard-keys.ts';
import type { Response } from './api.ts';
import { keysOf } from './format.ts';

type Me = Response<'getMe'>;
export type Role = Me['practices'][number]['role'];

type Platform = Me['platforms'][number];

export interface Practice {
  /** On the screens that a platform has too, this can be a platform's ID. */
  readonly practiceId: string;
  readonly name: string;
  readonly role: Role;
  /** Present if the user is not a member of the practice, but acts for it as a member of its platform. */
  readonly platform?: Platform | undefined;
  readonly mode: Me['mode'];
  readonly me: Me;
  readonly reloadMe: () => Promise<void>;
  /** IANA name. */
  readonly timeZone: string;
}

interface Settings {
  readonly settings: Response<'getSettings'>;
  readonly reloadSettings: () => Promise<void>;
}

export type LinkStep = Settings['settings']['missingForLinks'][number];

/** A platform has no settings. */
export const PracticeContext = createContext<(Practice & Partial<Settings>) | undefined>(undefined);

/** The practice, or the platform, that the screen belongs to, and the user's role in it. */
export function usePractice(): Practice {
  const practice = useContext(PracticeContext);
  if (!practice) throw new Error('This part belongs on a screen of a practice or a platform.');
  return practice;
}

export function useSettings(): Settings {
  const { settings, reloadSettings } = useContext(PracticeContext) ?? {};
  if (!settings || !reloadSettings) throw new Error('This part belongs on a screen of a practice.');
  return { settings, reloadSettings };
}

/** Returns the ID of a platform that no longer has access, because its name is unknown. */
export function usePlatformName(platformId: string): string {
  const { settings } = useContext(PracticeContext) ?? {};
  return (settings?.platformId === platformId && settings.platformName) || platformId;
}

export function isPlatform({ practiceId }: Pick<Practice, 'practiceId'>): boolean {
  return practiceId.startsWith('plt_');
}

/** Only these admins change what belongs to the practice, such as keys, webhooks and the team. A platform's members do not. */
export function isOwnAdmin({ role, platform }: Pick<Practice, 'role' | 'platform'>): boolean {
  return role === 'admin' && platform === undefined;
}

/** Used in sentences like "Only admins change them." */
export function ownAdmins({ platform }: Pick<Practice, 'platform'>): string {
  return platform === undefined ? 'admins' : 'the practice’s own admins';
}

const ranks = { viewer: 0, staff: 1, admin: 2 };

export function allows(role: Role, needed: Role): boolean {
  return ranks[role] >= ranks[needed];
}

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
    may: 'Also sees names and proofs of authorization, creates, replaces and cancels payment links, and sends webhooks again.',
  },
  admin: {
    label: 'Admin',
    article: 'an admin',
    may: 'Also refunds payments, changes settings, the team, API keys and webhooks, and erases patients.',
  },
};

export const roleOptions = keysOf(roleWords).map((role) => ({
  value: role,
  label: roleWords[role].label,
  hint: roleWords[role].may,
}));

type MailTopic = Response<'getTeam'>['yourMails']['topics'][number];

export const mailTopicWords: Readonly<Record<MailTopic, { readonly label: string; readonly hint?: string }>> = {
  payment_failed: { label: 'Payments that failed' },
  payment_returned: { label: 'Payments that were returned, and refunds that failed' },
  payment_refunded: { label: 'Refunds that arrived' },
  payment_arrived: {
    label: 'Payments that arrived',
    hint: 'For practices with a few payments a day. If you have many, choose the daily summary.',
  },
  link_requested: { label: 'Patients who ask for a new link' },
  endpoint_failing: { label: 'Trouble reaching your software', hint: 'For whoever looks after your software.' },
  daily_summary: {
    label: 'A daily summary',
    hint: 'Yesterday’s payments in numbers, in the morning. Not sent after a day on which nothing happened.',
  },
};
export const mailTopics = keysOf(mailTopicWords);

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
  'authorizations:read': {
    label: 'Read authorizations',
    hint: 'Only for software that answers banks: shows who authorized a debit, from which account, and the text.',
  },
  'practices:write': {
    label: 'Manage practices',
    hint: 'Create, list and suspend the platform’s practices.',
  },
};
export const scopes = keysOf(scopeWords);
/** Leaves out the scope for managing practices unless the owner is a platform. */
export function scopesFor(ownerId: string): readonly Scope[] {
  return ownerId.startsWith('plt_') ? scopes : scopes.filter((scope) => scope !== 'practices:write');
}
export const scopesByDefault: readonly Scope[] = ['sessions:read', 'sessions:write', 'events:read'];

/** `expiring`: within two weeks. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

const soon = 14 * 86_400_000;

export function keyStateOf(
  { expiresAt, revokedAt }: Pick<KeySummary, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt === undefined) return 'active';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < soon ? 'expiring' : 'active';
}
