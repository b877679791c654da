import type { DepositNeed } from '../../domain/payments/deposit-need.ts';

/** The first match wins. */
const patterns: readonly (readonly [RegExp, DepositNeed])[] = [
  [/^external_account/, 'bank_account'],
  [/^(settings\..*)?tos_acceptance|_acceptance\./, 'agreement'],
  [/document/, 'document'],
  [/^business_profile\.(url|product_description)/, 'website'],
  [/(^|\.)(tax_id|vat_id|id_number|ssn_last_4)/, 'tax_id'],
  [/^(owners|directors|executives)|_provided$/, 'owners'],
  [/^(representative|individual|person_\w+)\b/, 'representative'],
  [/^(business_|company)/, 'business'],
];

/** Sums up Stripe's requirements, which name fields such as `company.tax_id`, for a reader. */
export function needsOf(requirements: readonly string[]): DepositNeed[] {
  const needs = requirements.map((name) => patterns.find(([pattern]) => pattern.test(name))?.[1] ?? 'other');
  return [...new Set(needs)];
}
