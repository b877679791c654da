import type { BankAccount } from './debit.ts';
import type { Locale } from '../locale.ts';
import type { Payee } from '../practices/practice.ts';

/** Everything that the text depends on. */
export interface Terms {
  readonly amountCents: number;
  readonly invoiceId: string;
  readonly payee: Payee;
  readonly account: BankAccount;
  /** The name on the bank account, which need not be the patient's. */
  readonly payerName: string;
  /** In US Eastern time, as the debit date. */
  readonly authorizedOn: string;
  /** Not before this day: the next banking day, without a time zone. */
  readonly debitDate: string;
}

/** Each line is a paragraph. */
type Template = Readonly<Record<Locale, (terms: Terms) => string>>;

const november2026: Template = {
  en({ amountCents, invoiceId, payee, account, debitDate }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [supportPhone && `calling ${supportPhone}`, supportEmail && `writing to ${supportEmail}`].filter(
      Boolean,
    );
    return (
      `I authorize ${payee.name} and its payment processor to electronically debit my ${account.accountType} account at ${account.bankName} ` +
      `ending in ${account.last4} once, for ${formatDollars(amountCents)}, for invoice ${invoiceId}, on or after ${longDate('en', debitDate)}, and, if necessary, to credit my account ` +
      `to correct an erroneous debit.\nI am an owner or authorized signer of this account.\nI can revoke this authorization by ${contacts.join(' or ') || 'contacting the practice'} ` +
      `before the debit is sent to my bank, which may be within hours.\nIf the debit is returned unpaid, I still owe the amount.`
    );
  },
  es({ amountCents, invoiceId, payee, account, debitDate }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [
      supportPhone && `llamando al ${supportPhone}`,
      supportEmail && `escribiendo a ${supportEmail}`,
    ].filter(Boolean);
    const accountType = { checking: 'cuenta de cheques', savings: 'cuenta de ahorros' }[account.accountType];
    return (
      `Autorizo a ${payee.name} y a su procesador de pagos a debitar electrónicamente de mi ${accountType} en ${account.bankName} ` +
      `terminada en ${account.last4}, una sola vez, la cantidad de ${formatDollars(amountCents)}, por la factura ${invoiceId}, el ${longDate('es', debitDate)} o después, y, de ser necesario, ` +
      `a acreditar mi cuenta para corregir un débito erróneo.\nSoy titular de esta cuenta o tengo autorización para firmar en ella.\nPuedo revocar esta autorización ` +
      `${contacts.join(' o ') || 'comunicándome con el consultorio'} antes de que el débito se envíe a mi banco, lo cual puede ocurrir en cuestión de horas.\n` +
      `Si mi banco devuelve el débito sin pagarlo, seguiré debiendo esa cantidad.`
    );
  },
};

const november2026WithPayer: Template = {
  en({ amountCents, invoiceId, payee, account, payerName, authorizedOn, debitDate }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [supportPhone && `calling ${supportPhone}`, supportEmail && `writing to ${supportEmail}`].filter(
      Boolean,
    );
    return (
      `I, ${payerName}, authorize ${payee.name} and its payment processor to electronically debit my ${account.accountType} account at ${account.bankName} ` +
      `ending in ${account.last4} once, for ${formatDollars(amountCents)}, for invoice ${invoiceId}, on or after ${longDate('en', debitDate)}, and, if necessary, to credit my account ` +
      `to correct an erroneous debit.\nI am an owner or authorized signer of this account.\nI can revoke this authorization by ${contacts.join(' or ') || 'contacting the practice'} ` +
      `before the debit is sent to my bank, which may be within hours.\nIf the debit is returned unpaid, I still owe the amount.\n` +
      `Date: ${longDate('en', authorizedOn)} (US Eastern time)`
    );
  },
  es({ amountCents, invoiceId, payee, account, payerName, authorizedOn, debitDate }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [
      supportPhone && `llamando al ${supportPhone}`,
      supportEmail && `escribiendo a ${supportEmail}`,
    ].filter(Boolean);
    const accountType = { checking: 'cuenta de cheques', savings: 'cuenta de ahorros' }[account.accountType];
    return (
      `Yo, ${payerName}, autorizo a ${payee.name} y a su procesador de pagos a debitar electrónicamente de mi ${accountType} en ${account.bankName} ` +
      `terminada en ${account.last4}, una sola vez, la cantidad de ${formatDollars(amountCents)}, por la factura ${invoiceId}, el ${longDate('es', debitDate)} o después, y, de ser necesario, ` +
      `a acreditar mi cuenta para corregir un débito erróneo.\nSoy titular de esta cuenta o tengo autorización para firmar en ella.\nPuedo revocar esta autorización ` +
      `${contacts.join(' o ') || 'comunicándome con el consultorio'} antes de que el débito se envíe a mi banco, lo cual puede ocurrir en cuestión de horas.\n` +
      `Si mi banco devuelve el débito sin pagarlo, seguiré debiendo esa cantidad.\nFecha: ${longDate('es', authorizedOn)} (hora del este de EE. UU.)`
    );
  },
};

/** Templates by version. Never change a released one: open links render it again. Add a new version instead. */
export const authorizationTemplates: ReadonlyMap<string, Template> = new Map([
  ['2026-11-22.1', november2026],
  ['2026-11-25.1', november2026WithPayer],
]);

/** The template that new bank connections get. */
export const currentAuthorizationTemplate = '2026-11-25.1';

function longDate(locale: Locale, day: string): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long' }).format(Date.parse(day));
}

export function formatDollars(amountCents: number, locale = 'en-US'): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(amountCents / 100);
}
