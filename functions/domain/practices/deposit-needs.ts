import { day } from '../time.ts';

/** What a processor may still need to know before it deposits money. */
export const depositNeeds = [
  'bank_account',
  'business',
  'website',
  'tax_id',
  'representative',
  'owners',
  'document',
  'agreement',
  'other',
] as const;
export type DepositNeed = (typeof depositNeeds)[number];

const reminderDays = [1, 7, 30];

/** How many days before the deadline the reminder is that is due now. Undefined if none is due yet. */
export function dueReminder(deadline: string, now: number): number | undefined {
  return reminderDays.find((days) => now >= Date.parse(deadline) - days * day);
}
