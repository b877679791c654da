import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute, ofPractice } from '../dashboard-route.ts';
import { managementProblems } from '../management-problems.ts';
import { practiceSettings } from './practices.ts';
import { bodyProblems } from '../problems.ts';
import { termsAccepted } from '../../domain/practices/practice.ts';
import { isoTime } from '../../domain/time.ts';

const practiceSettingsBody = z.object({
  practiceId: z.string(),
  name: z.string(),
  createdAt: isoTime,
  primaryColor: z.string(),
  /** A path, valid on the dashboard's host too. */
  logoUrl: z.optional(z.string()),
  supportPhone: z.optional(z.string()),
  supportEmail: z.optional(z.string()),
  /** Lines, with \n between them. */
  postalAddress: z.optional(z.string()),
  /** The practice's own pages, which patients see instead of ours. */
  privacyUrl: z.optional(z.string()),
  termsUrl: z.optional(z.string()),
  linkLifetimeDays: z.int(),
  sessionLifetimeSeconds: z.int(),
  /** Whether patients can ask for more time. */
  extensions: z.boolean(),
  invoiceGuard: z.boolean(),
  /** How long after its end a session keeps names, bank account and metadata. */
  retentionMonths: z.int(),
  /** IANA name, such as America/New_York. */
  timeZone: z.string(),
  /** According to the processor's last answer. */
  depositReadyAt: z.optional(isoTime),
  termsAccepted: z.optional(termsAccepted),
  suspendedAt: z.optional(isoTime),
  closedAt: z.optional(isoTime),
});
export type PracticeSettings = z.infer<typeof practiceSettingsBody>;

/** A file, in base64. */
const picture = z.pipe(
  z.base64().check(z.minLength(1)),
  z.transform((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))),
);

export const settingsRoutes = {
  getSettings: {
    ...aboutPractice,
    method: 'GET',
    path: `${ofPractice}/settings`,
    access: { role: 'viewer' },
    summary: "Show the practice's settings",
    description: 'What patients see, and how links and sessions behave.',
    response: practiceSettingsBody,
    problems: memberProblems,
  },
  changeSettings: {
    ...aboutPractice,
    method: 'POST',
    path: `${ofPractice}/settings`,
    access: { role: 'admin', recentSignIn: 'live_mode' },
    summary: "Change the practice's settings",
    description: 'An absent field keeps its value. Open sessions keep their lifetimes.',
    body: practiceSettings,
    response: practiceSettingsBody,
    problems: { ...memberProblems, ...bodyProblems, contact_required: managementProblems.contact_required },
  },
  changeLogo: {
    ...aboutPractice,
    method: 'POST',
    path: `${ofPractice}/logo`,
    access: { role: 'admin' },
    summary: "Change the practice's logo",
    description: 'Null removes it.',
    body: z.strictObject({ logo: z.nullable(picture) }),
    maximumBodyBytes: 150 * 1024,
    response: practiceSettingsBody,
    problems: { ...memberProblems, ...bodyProblems, logo_not_accepted: managementProblems.logo_not_accepted },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
