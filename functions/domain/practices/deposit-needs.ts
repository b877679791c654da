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

export const depositNeedWords: Readonly<Record<DepositNeed, string>> = {
  bank_account: 'The bank account that receives the money',
  business: 'Facts about the practice: its legal name, address, phone number and kind of business',
  website: 'The practice’s website, or a description of what it does',
  tax_id: 'A tax ID: the practice’s EIN, or the number of a person',
  representative: 'The person who represents the practice: name, address, date of birth',
  owners: 'Who owns or directs the practice',
  document: 'A document, such as a photo of an ID',
  agreement: 'Your consent to the payment processor’s own terms',
  other: 'Something more, which the payment processor’s page shows',
};

const reminderDays = [1, 7, 30];

/** How many days before the deadline the reminder is that is due now. Undefined if none is due yet. */
export function dueReminder(deadline: string, now: number): number | undefined {
  return reminderDays.find((days) => now >= Date.parse(deadline) - days * day);
}
