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
