/** The length of the company name field in an ACH batch header. */
const maximumLength = 16;

/**
 * The payee on a patient's bank statement: the practice's name in capitals, digits and spaces, cut to 16 characters.
 * A name with none of these falls back to general words, never clinical ones.
 */
export function statementDescriptor(practiceName: string): string {
  const plain = practiceName
    .normalize('NFKD')
    .replaceAll(/[\p{Mark}'’]/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, ' ');
  return plain.trim().slice(0, maximumLength).trimEnd() || 'INVOICE PAYMENT';
}
