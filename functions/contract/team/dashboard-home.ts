import * as z from 'zod/mini';
import { isoTime } from '../../domain/time.ts';
import { aboutPractice, memberProblems, type MemberRoute } from '../dashboard-route.ts';
import { memberSession } from '../sessions/dashboard-sessions.ts';
import { endpointSummary } from '../webhooks/dashboard-endpoints.ts';

const total = z.object({ count: z.int(), cents: z.int() });

export const home = z.object({
  /** Which setup steps the practice has done. */
  checklist: z.object({
    apiKey: z.boolean(),
    webhookEndpoint: z.boolean(),
    /** A webhook, such as a test event, reached the receiver. */
    webhookDelivered: z.boolean(),
    contact: z.boolean(),
    branding: z.boolean(),
    session: z.boolean(),
    paidSession: z.boolean(),
    /** Present only in production. */
    deposit: z.optional(z.boolean()),
    terms: z.optional(z.boolean()),
  }),
  timeZone: z.string(),
  /** The last 30 days in the practice's time zone, oldest first. */
  days: z.array(
    z.object({
      /** Like 2026-11-20. */
      day: z.string(),
      /** Counted on the day the bank paid, less what was given back since. */
      paid: total,
      /** Counted on the day the patient authorized, until the bank answers. */
      onItsWay: total,
    }),
  ),
  /** False if there are too many sessions to add up. */
  complete: z.boolean(),
});
export type Home = z.infer<typeof home>;

const alerts = z.object({
  /** Endpoints that are failing, or that we disabled. */
  endpoints: z.array(endpointSummary),
  /** Each list covers the last 30 days, newest first, at most 10 sessions. */
  failed: z.array(memberSession),
  returned: z.array(memberSession),
  /** Sessions whose last refund failed. */
  refundFailed: z.array(memberSession),
  /** Expired sessions whose patients asked for a new link and have not received one. The same limits apply. */
  linkRequests: z.array(z.extend(memberSession, { linkRequestedAt: z.optional(isoTime) })),
});
export type Alerts = z.infer<typeof alerts>;

export const homeRoutes = {
  getHome: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/home'),
    summary: 'Show the home screen',
    description: 'Setup steps and the payments of the last 30 days.',
    response: home,
    problems: memberProblems,
  },
  getAlerts: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/alerts'),
    summary: 'List what needs attention',
    description:
      'Webhook endpoints that fail, payments that failed or were returned, refunds that failed, and patients who asked for a new link.',
    response: alerts,
    problems: memberProblems,
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
