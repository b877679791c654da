import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute } from '../dashboard-route.ts';
import { managementProblems } from '../management-problems.ts';
import { practiceSettings } from './practices.ts';
import { bodyProblems, invalidRequest } from '../problems.ts';
import { shownPractice } from '../../domain/practices/practice.ts';
import { matching } from '../text.ts';
import { isoTime } from '../../domain/time.ts';

export type PracticeSettings = z.infer<typeof shownPractice>;

/** What a practice needs before it can make live payment links in the dashboard. */
export const linkSteps = ['terms', 'deposit', 'contact', 'branding'] as const;
export type LinkStep = (typeof linkSteps)[number];

/** A base64-encoded file. */
const picture = z.pipe(
  z.base64().check(z.minLength(1)),
  z.transform((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))),
);

export const settingsRoutes = {
  getSettings: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/settings'),
    summary: "Show the practice's settings",
    description: 'What patients see, and how links and sessions behave.',
    response: z.extend(shownPractice, {
      platformName: z.optional(z.string()),
      appliedFee: z.optional(z.object({ cents: z.int(), basisPoints: z.int() })),
      missingForLinks: z.array(z.enum(linkSteps)),
    }),
    problems: memberProblems,
  },
  changeSettings: {
    ...aboutPractice({ role: 'admin', recentSignIn: 'live_mode' }, 'POST', '/settings'),
    summary: "Change the practice's settings",
    description: 'An absent field keeps its value. Open sessions keep their lifetimes.',
    body: practiceSettings,
    response: shownPractice,
    problems: { ...memberProblems, ...bodyProblems, contact_required: managementProblems.contact_required },
  },
  changeLogo: {
    ...aboutPractice({ role: 'admin' }, 'POST', '/logo'),
    summary: "Change the practice's logo",
    description: 'Null removes it.',
    body: z.strictObject({ logo: z.nullable(picture) }),
    maximumBodyBytes: 150 * 1024,
    response: shownPractice,
    problems: { ...memberProblems, ...bodyProblems, logo_not_accepted: managementProblems.logo_not_accepted },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;

export const testBank = z.object({
  password: z.string(),
  users: z.array(z.object({ scenario: z.string(), username: z.string() })),
});
export type TestBank = z.infer<typeof testBank>;

export const sandboxTestBankRoutes = {
  getTestBank: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/test-bank'),
    summary: 'Show the test bank',
    description: 'Its password and users. Sandbox only.',
    response: testBank,
    problems: { ...memberProblems, test_bank_not_found: managementProblems.test_bank_not_found },
  },
  changeTestBankPassword: {
    ...aboutPractice({ role: 'admin' }, 'POST', '/test-bank/password'),
    summary: 'Issue a new test bank password',
    description: 'The old one stops working. Sandbox only.',
    response: testBank,
    problems: { ...memberProblems, test_bank_not_found: managementProblems.test_bank_not_found },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;

const practiceOfPlatform = z.object({
  practiceId: z.string(),
  name: z.string(),
  platformSince: isoTime,
  suspendedAt: z.optional(isoTime),
  closedAt: z.optional(isoTime),
  debitsStoppedAt: z.optional(isoTime),
  /** What it needs before it can make live payment links. */
  missingForLinks: z.array(z.enum(linkSteps)),
});
export type PracticeOfPlatform = z.infer<typeof practiceOfPlatform>;

const query = z.strictObject({
  /** Finds practices whose name contains this, ignoring case, accents and spaces. */
  name: z.optional(z.string().check(z.maxLength(200))),
  cursor: z.optional(z.string().check(matching(/^\d{1,6}$/, 'the `nextCursor` of the previous page'))),
});

export const dashboardPlatformRoutes = {
  listPlatformPractices: {
    ...aboutPractice({ role: 'viewer', platform: 'only' }, 'GET', '/practices'),
    summary: "List a platform's practices",
    description: 'By name. A practice that has just joined can take a moment to show; one that has left never shows.',
    query,
    response: z.object({ data: z.array(practiceOfPlatform), nextCursor: z.nullable(z.string()) }),
    problems: { ...memberProblems, ...invalidRequest },
  },
  endPlatformAccess: {
    ...aboutPractice({ role: 'admin', recentSignIn: true, ownMembersOnly: true }, 'POST', '/platform/end'),
    summary: "End the platform's access",
    description:
      'Takes no body. The practice leaves its platform, to which it does not exist from the next request on.',
    response: z.object({ practiceId: z.string(), platformId: z.string(), leftAt: isoTime }),
    problems: { ...memberProblems, practice_in_no_platform: managementProblems.practice_in_no_platform },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
