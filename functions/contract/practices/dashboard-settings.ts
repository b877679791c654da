import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute } from '../dashboard-route.ts';
import { managementProblems } from '../management-problems.ts';
import { practiceSettings } from './practices.ts';
import { bodyProblems } from '../problems.ts';
import { shownPractice } from '../../domain/practices/practice.ts';

export type PracticeSettings = z.infer<typeof shownPractice>;

/** What a practice needs before it can make live payment links in the dashboard. */
export const linkSteps = ['terms', 'deposit', 'contact', 'branding'] as const;
export type LinkStep = (typeof linkSteps)[number];

/** A file, in base64. */
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
