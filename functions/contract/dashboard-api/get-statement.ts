import * as z from 'zod/mini';
import { payout } from '../../domain/booking.ts';
import { returnKinds } from '../../domain/return-rates.ts';
import { none } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

/** In cents. `netCents` is the sum of the others, less the fee. */
const amounts = {
  grossCents: z.int(),
  refundedCents: z.int(),
  returnedCents: z.int(),
  /** Such as corrections of the processor. */
  otherCents: z.int(),
  feeCents: z.int(),
  netCents: z.int(),
};

export const statement = z.object({
  timeZone: z.string(),
  /** Like 2026-11. */
  month: z.string(),
  /** Days with bookings, oldest first. */
  days: z.array(
    z.object({
      day: z.string(),
      ...amounts,
      /** Of the net, what no payout brought to the bank yet. */
      inTransitCents: z.int(),
      payoutIds: z.array(z.string()),
      /** Failed to bring it; its money comes with a payout of `payoutIds`, or waits for one. */
      failedPayoutIds: z.array(z.string()),
    }),
  ),
  /** Made in this month, oldest first. */
  payouts: z.array(
    z.object({
      payoutId: z.string(),
      day: z.string(),
      arrivesOn: z.string(),
      status: payout.shape.status,
      /** Of the processor, if it failed. */
      failureCode: z.optional(z.string()),
      amountCents: z.int(),
      ...amounts,
      /** Whether its payments add up to its amount; absent until the processor says which they are. */
      addsUp: z.optional(z.boolean()),
      /** Their money is part of this one. */
      failedPayoutIds: z.array(z.string()),
      /** Brings its money, if it failed. */
      nextPayoutId: z.optional(z.string()),
    }),
  ),
  /** Of the debits of the last 60 days, whatever the month. */
  returnRates: z.object({
    debits: z.int(),
    rates: z.array(z.object({ kind: z.enum(returnKinds), returns: z.int(), rate: z.number(), ceiling: z.number() })),
  }),
});
export type Statement = z.infer<typeof statement>;

export const getStatementRoute = {
  method: 'GET',
  path: `${ofPractice}/statement`,
  access: { role: 'viewer' },
  summary: 'Show the statement of a month',
  description: 'Production only. What was paid, refunded, returned and paid out per day, in the practice’s time zone.',
  params: practiceParams,
  query: z.object({ month: z.optional(z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))) }),
  headers: none,
  body: none,
  status: 200,
  response: statement,
  problems: memberProblems,
} as const satisfies MemberRoute;
