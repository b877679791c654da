/** The company name field of an ACH batch header. */
const maximumLength = 16;

export function statementDescriptor(practiceName: string): string {
  const plain = practiceName
    .normalize('NFKD')
    .replaceAll(/[\p{Mark}'’]/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, ' ');
  return plain.trim().slice(0, maximumLength).trimEnd() || 'INVOICE PAYMENT';
}
