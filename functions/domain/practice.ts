import * as z from 'zod/mini';
import { randomBase62, type RandomBytes } from './identifier.ts';
import { isoTime } from './time.ts';

export const practice = z.object({
  practiceId: z.string(),
  name: z.string(),
  createdAt: isoTime,
  supportPhone: z.optional(z.string()),
  supportEmail: z.optional(z.string()),
  primaryColor: z.string(),
  /** A path on the hosted page's own host: `/logos/<practiceId>/<hash>.png`. */
  logoUrl: z.optional(z.string()),
  linkLifetimeDays: z.int(),
  sessionLifetimeSeconds: z.int(),
  /** Whether one invoice can be paid at most once. */
  invoiceGuard: z.boolean(),
  /** The password of the practice's sandbox bank users; worth nothing outside the sandbox. */
  testBankPassword: z.string(),
});
export type Practice = z.infer<typeof practice>;

export const defaultPrimaryColor = '#1d4ed8';

export function generatePracticeId(randomBytes: RandomBytes): string {
  return `prc_${randomBase62(20, randomBytes)}`;
}

export function generateTestBankPassword(randomBytes: RandomBytes): string {
  return `test-${randomBase62(10, randomBytes)}`;
}
