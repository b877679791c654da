import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute, practiceParams } from '../dashboard-route.ts';
import { invalidRequest } from '../problems.ts';
import { payoutLine, payoutNotFound } from './payouts.ts';
import { sessionNotFound } from '../sessions/session.ts';
import { payout } from '../../domain/payments/booking.ts';
import { isoTime } from '../../domain/time.ts';
import { returnKinds } from '../../domain/payments/return-rates.ts';

/** `netCents` is the sum of the other amounts, less the fee. */
const amounts = {
  grossCents: z.int(),
  refundedCents: z.int(),
  returnedCents: z.int(),
  /** For example, corrections by the processor. */
  otherCents: z.int(),
  feeCents: z.int(),
  /** The part of the fee that the operator takes. */
  applicationFeeCents: z.int(),
  netCents: z.int(),
};

const statementPayout = z.object({
  payoutId: z.string(),
  day: z.string(),
  arrivesOn: z.string(),
  status: payout.shape.status,
  /** The processor's code, if the payout failed. */
  failureCode: z.optional(z.string()),
  amountCents: z.int(),
  ...amounts,
  /** Whether the payout's bookings add up to its amount. Absent until the processor lists them. */
  addsUp: z.optional(z.boolean()),
  /** Failed payouts whose money is part of this one. */
  failedPayoutIds: z.array(z.string()),
  /** If this payout failed: the later payout that delivers its money. */
  nextPayoutId: z.optional(z.string()),
});

const openedPayout = z.object({ payout: statementPayout, lines: z.array(payoutLine) });
export type OpenedPayout = z.infer<typeof openedPayout>;

const monthQuery = z.strictObject({
  month: z.optional(z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))),
});

export const statement = z.object({
  timeZone: z.string(),
  /** Like 2026-11. */
  month: z.string(),
  /** Days with bookings, oldest first. */
  days: z.array(
    z.object({
      day: z.string(),
      ...amounts,
      /** The net of debits that the bank has not answered yet. No other amount includes it. */
      processingCents: z.int(),
      /** The part of the net that no payout has delivered to the bank yet. */
      inTransitCents: z.int(),
      payoutIds: z.array(z.string()),
      /** Payouts that failed. Their money is part of a payout in `payoutIds`, or waits for one. */
      failedPayoutIds: z.array(z.string()),
    }),
  ),
  /** Payouts made in this month, oldest first. */
  payouts: z.array(statementPayout),
  /** The practice's available balance at the processor. Absent until it is first read. */
  balance: z.optional(z.object({ availableCents: z.int(), at: isoTime })),
  /** Based on the debits of the last 60 days, whichever month is shown. */
  returnRates: z.object({
    debits: z.int(),
    rates: z.array(z.object({ kind: z.enum(returnKinds), returns: z.int(), rate: z.number(), ceiling: z.number() })),
  }),
});
export type Statement = z.infer<typeof statement>;

export const livePayoutRoutes = {
  getStatement: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/statement'),
    summary: 'Show the statement of a month',
    description:
      'Production only. What was paid, refunded, returned and paid out per day, in the practice’s time zone.',
    query: monthQuery,
    response: statement,
    problems: { ...memberProblems, ...invalidRequest },
  },
  listStatementLines: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/statement/lines'),
    summary: 'List what a month’s statement adds up',
    description: 'Production only. Each payment, refund, return and payout of the month, oldest first.',
    query: monthQuery,
    response: z.object({ lines: z.array(payoutLine) }),
    problems: { ...memberProblems, ...invalidRequest },
  },
  getPayout: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/payouts/{payoutId}'),
    summary: 'Show a payout and what it is made of',
    description: 'Production only. The lines add up to the payout, unless `addsUp` says otherwise.',
    params: z.extend(practiceParams, { payoutId: z.string() }),
    response: openedPayout,
    problems: { ...memberProblems, ...payoutNotFound },
  },
  getPayoutOfSession: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/sessions/{sessionId}/payout'),
    summary: 'Show which payout includes a payment',
    description: 'Production only. Empty until a payout includes it.',
    params: z.extend(practiceParams, { sessionId: z.string() }),
    response: z.object({
      payout: z.optional(z.pick(statementPayout, { payoutId: true, arrivesOn: true, status: true })),
    }),
    problems: { ...memberProblems, ...sessionNotFound },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
