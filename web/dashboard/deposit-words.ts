import type { Deposit } from '../../functions/contract/practices/dashboard-going-live.ts';

/** What Stripe still requires. */
export const needWords: Readonly<Record<Deposit['needs'][number], string>> = {
  bank_account: 'The bank account that receives the money',
  business: 'Facts about the practice: its legal name, address, phone number and kind of business',
  website: 'The practice’s website, or a description of what it does',
  tax_id: 'A tax ID: the practice’s EIN, or the number of a person',
  representative: 'The person who represents the practice: name, address, date of birth',
  owners: 'Who owns or directs the practice',
  document: 'A document, such as a photo of an ID',
  agreement: 'Your consent to Stripe’s own terms',
  other: 'Something more, which Stripe’s page shows',
};
