import * as z from 'zod/mini';
import { isoTime } from '../../domain/time.ts';
import { idempotencyHeaders, idempotencyProblems, replayable } from '../idempotency.ts';
import { managementProblems } from '../management-problems.ts';
import { invalidCursor, pageParameters, pageQuery } from '../page.ts';
import { keyProblems, type PracticeRoute, withKey } from '../practice-route.ts';
import { bodyProblems, invalidRequest, practiceClosed, practiceSuspended, type Problems } from '../problems.ts';
import type { Route } from '../route.ts';
import { linkSteps, testBank } from './dashboard-settings.ts';
import { newPractice } from './practices.ts';

export const newPlatformPractice = z.omit(newPractice, { webhookUrl: true });
export type NewPlatformPractice = z.infer<typeof newPlatformPractice>;

const practiceFields = {
  practiceId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'suspended', 'closed']),
  createdAt: isoTime,
  joinedAt: isoTime,
  suspendedAt: z.optional(isoTime),
};

export const listedPractice = z.object(practiceFields);
export type ListedPractice = z.infer<typeof listedPractice>;
export const practiceList = z.object({ data: z.array(listedPractice), nextCursor: z.nullable(z.string()) });
export const openedPractice = z.object({ ...practiceFields, missing: z.array(z.enum(linkSteps)) });
export const createdPractice = z.object({ ...practiceFields, testBank: z.optional(testBank) });
export type CreatedPractice = z.infer<typeof createdPractice>;
export const onboardingLink = z.object({ url: z.url() });

const ofPlatform = {
  platform_key_required: { status: 403, title: 'This needs a key of a platform.' },
} as const satisfies Problems;

function aboutPlatform(method: Route['method'], path: string) {
  return { ...withKey('practices:write', method, `/api/platform/practices${path}`), platform: 'only' } as const;
}

function aboutOne(method: Route['method'], path: string) {
  const params = z.object({ practiceId: z.string() });
  const parameters = { practiceId: 'One of your practices.' };
  return { ...aboutPlatform(method, `/{practiceId}${path}`), params, parameters };
}

export const platformApiRoutes = {
  createPractice: {
    ...aboutPlatform('POST', ''),
    summary: 'Create a practice',
    description:
      'Creates a practice in your platform, with the settings that it could choose itself. In production, it needs a phone number or an email address for its patients. ' +
      'It has no API key and no webhook endpoint of its own. With an `Idempotency-Key`, retries are safe for 24 hours.',
    ...idempotencyHeaders,
    body: newPlatformPractice,
    status: 201,
    response: createdPractice,
    ...replayable,
    problems: {
      ...keyProblems,
      ...ofPlatform,
      ...bodyProblems,
      ...idempotencyProblems,
      contact_required: managementProblems.contact_required,
    },
  },
  listPractices: {
    ...aboutPlatform('GET', ''),
    summary: 'List your practices',
    description:
      'By their IDs, one page at a time. Eventually consistent: a practice that was just created can take a moment to show.',
    query: z.strictObject(pageQuery),
    parameters: pageParameters,
    response: practiceList,
    problems: { ...keyProblems, ...ofPlatform, ...invalidRequest, ...invalidCursor },
  },
  getPlatformPractice: {
    ...aboutOne('GET', ''),
    summary: 'Get a practice of yours',
    description: 'With what it still needs before live payments. In a sandbox, that is nothing.',
    response: openedPractice,
    problems: { ...keyProblems, ...ofPlatform },
  },
  suspendPractice: {
    ...aboutOne('POST', '/suspend'),
    summary: 'Suspend a practice',
    description:
      'Stops new sessions and new authorizations. Debits that patients authorized, webhooks and receipts go on. Suspending it again changes nothing.',
    response: listedPractice,
    problems: { ...keyProblems, ...ofPlatform },
  },
  resumePractice: {
    ...aboutOne('POST', '/resume'),
    summary: 'Resume a practice',
    description: 'Ends your suspension, but not one by whoever runs the service.',
    response: listedPractice,
    problems: { ...keyProblems, ...ofPlatform, ...practiceSuspended, ...practiceClosed },
  },
} as const satisfies Readonly<Record<string, PracticeRoute>>;

/** In the sandbox, nothing is deposited. */
export const livePlatformApiRoutes = {
  createOnboardingLink: {
    ...aboutOne('POST', '/onboarding-link'),
    summary: 'Create a link to set up deposits',
    description:
      "Returns the address of the payment processor's own page, where the practice says which bank account its payments go to. It asks only for what is missing. It works once, for a few minutes: ask for it when somebody is about to open it. Production only.",
    response: onboardingLink,
    problems: { ...keyProblems, ...ofPlatform, processor_unavailable: managementProblems.processor_unavailable },
  },
} as const satisfies Readonly<Record<string, PracticeRoute>>;
