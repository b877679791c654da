import { withoutInvisible } from '../plain-text.ts';

/**
 * What two spellings of one invoice ID have in common: Unicode's composed form, without characters that nobody sees, with
 * one space for any white space, and none at the ends. Letter case counts: some systems give "inv-7" and "INV-7" to two
 * invoices. Responses and events have the ID as it was sent.
 */
export function invoiceIdentity(invoiceId: string): string {
  return withoutInvisible(invoiceId)
    .normalize('NFC')
    .replaceAll(/[\s\p{Z}]+/gu, ' ')
    .trim();
}
