/**
 * What two spellings of one invoice ID have in common: Unicode's composed form, without invisible format characters, with
 * one space for any white space, and none at the ends. Letter case counts: some systems give "inv-7" and "INV-7" to two
 * invoices. Responses and events have the ID as it was sent.
 */
export function invoiceIdentity(invoiceId: string): string {
  return invoiceId
    .replaceAll(/\p{Cf}/gu, '')
    .normalize('NFC')
    .replaceAll(/[\s\p{Z}]+/gu, ' ')
    .trim();
}
