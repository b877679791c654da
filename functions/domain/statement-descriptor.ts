/** How many characters of a company's name every bank shows: the field of the ACH batch header has no more. */
const longest = 16;

/**
 * What a patient's bank statement says of a debit: the practice's name in capitals, digits and spaces, without accents, cut to 16 characters.
 * A name that has none of them is told in general words, never in clinical ones.
 */
export function statementDescriptor(practiceName: string): string {
  const plain = practiceName
    .normalize('NFKD')
    .replaceAll(/[\p{Mark}'’]/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, ' ');
  return plain.trim().slice(0, longest).trimEnd() || 'INVOICE PAYMENT';
}
