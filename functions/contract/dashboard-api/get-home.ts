import * as z from 'zod/mini';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

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
    /** Only in production. */
    deposit: z.optional(z.boolean()),
    terms: z.optional(z.boolean()),
  }),
  timeZone: z.string(),
  /** The last 30 days in the practice's time zone, oldest first. */
  days: z.array(
    z.object({
      /** Like 2026-11-20. */
      day: z.string(),
      /** Counted on the day the bank paid. */
      paid: total,
      /** Counted on the day the patient authorized, until the bank answers. */
      onItsWay: total,
    }),
  ),
  /** False if there are too many sessions to add up. */
  complete: z.boolean(),
});
export type Home = z.infer<typeof home>;

export const getHomeRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/home`,
  access: { role: 'viewer' },
  summary: 'Show the home screen',
  description: 'Setup steps and the payments of the last 30 days.',
  params: practiceParams,
  status: 200,
  response: home,
  problems: memberProblems,
} as const satisfies MemberRoute;
