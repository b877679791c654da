import type { Payee } from '../practices/practice.ts';

/** The company name field of an ACH batch header. */
const maximumLength = 16;
/** A processor rejects a shorter descriptor, and one without a letter. */
const minimumLength = 5;

export function statementTextOf({ name, statementDescriptor: chosen }: Payee): string {
  return chosen ?? statementDescriptor(name);
}

export function statementDescriptor(practiceName: string): string {
  const plain = practiceName
    .normalize('NFKD')
    .replaceAll(/[\p{Mark}'’]/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, ' ');
  const text = plain.trim().slice(0, maximumLength).trimEnd();
  if (!/[A-Z]/.test(text)) return 'INVOICE PAYMENT';
  return text.length < minimumLength ? `${text} PAYMENT` : text;
}
