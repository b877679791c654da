import * as z from 'zod/mini';
import { isoTime } from './time.ts';

/** Read: all before `from`, and of the period until `to` what the list has up to `after`. */
const progress = z.object({ from: isoTime, to: z.optional(isoTime), after: z.optional(z.string()) });
export type Progress = z.infer<typeof progress>;

/** How far an account at the processor is compared with what we have. */
export const reconciliation = z.object({
  account: z.string(),
  /** Whose account it is or was; none for our own. */
  practiceId: z.optional(z.string()),
  notifications: z.optional(progress),
  disputes: z.optional(progress),
  bookings: z.optional(progress),
  payouts: z.optional(progress),
  /** Of the archive's copies; only on the platform's row. */
  evidence: z.optional(progress),
});
export type Reconciliation = z.infer<typeof reconciliation>;

/** The platform's own, which has the destination charges. */
export const platformAccount = 'platform';
