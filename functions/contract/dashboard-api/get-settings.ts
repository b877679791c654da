import * as z from 'zod/mini';
import { termsAccepted } from '../../domain/practices/practice.ts';
import { isoTime } from '../../domain/time.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const practiceSettingsBody = z.object({
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

export const getSettingsRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/settings`,
  access: { role: 'viewer' },
  summary: "Show the practice's settings",
  description: 'What patients see, and how links and sessions behave.',
  params: practiceParams,
  status: 200,
  response: practiceSettingsBody,
  problems: memberProblems,
} as const satisfies MemberRoute;
