import * as z from 'zod/mini';
import { isoTime } from '../time.ts';

/** Everything before `from` is read and, of the list from `from` to `to`, everything up to `after`. */
const progress = z.object({ from: isoTime, to: z.optional(isoTime), after: z.optional(z.string()) });
export type Progress = z.infer<typeof progress>;

/** How far an account at the processor has been compared with our records. */
export const reconciliation = z.object({
  account: z.string(),
  /** The practice that has or had the account. Absent for our own account. */
  practiceId: z.optional(z.string()),
  notifications: z.optional(progress),
  disputes: z.optional(progress),
  bookings: z.optional(progress),
  payouts: z.optional(progress),
  /** What was available of the account's balance, in cents. Negative if more was taken back than it held. */
  balance: z.optional(z.object({ availableCents: z.int(), at: isoTime })),
  /** How far the evidence archive was checked. Only in the platform's row. */
  evidence: z.optional(progress),
});
export type Reconciliation = z.infer<typeof reconciliation>;

/** Our own account, which makes the destination charges. */
export const platformAccount = 'platform';
