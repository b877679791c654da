import type { BankAccount } from './debit.ts';
import type { Locale } from './locale.ts';
import { formatDollars } from './money.ts';
import type { Payee } from './practice.ts';

/** All that a text depends on. */
export interface Terms {
  readonly amountCents: number;
  readonly invoiceId: string;
  readonly payee: Payee;
  readonly account: BankAccount;
  /** When it was offered. */
  readonly at: number;
}

type Template = Readonly<Record<Locale, (terms: Terms) => string>>;

const november2026: Template = {
  en({ amountCents, invoiceId, payee, account, at }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [supportPhone && `calling ${supportPhone}`, supportEmail && `writing to ${supportEmail}`].filter(
      Boolean,
    );
    return (
      `I authorize ${payee.name} and its payment processor to electronically debit my ${account.accountType} account at ${account.bankName} ` +
      `ending in ${account.last4} once, for ${formatDollars(amountCents)}, for invoice ${invoiceId}, on or after ${easternDate('en', at)}, and, if necessary, to credit my account ` +
      `to correct an erroneous debit. I am an owner or authorized signer of this account. I can revoke this authorization by ${contacts.join(' or ') || 'contacting the practice'} ` +
      `before the debit is sent to my bank, which may be within hours. If the debit is returned unpaid, I still owe the amount.`
    );
  },
  es({ amountCents, invoiceId, payee, account, at }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [
      supportPhone && `llamando al ${supportPhone}`,
      supportEmail && `escribiendo a ${supportEmail}`,
    ].filter(Boolean);
    const accountType = { checking: 'cuenta de cheques', savings: 'cuenta de ahorros' }[account.accountType];
    return (
      `Autorizo a ${payee.name} y a su procesador de pagos a debitar electrónicamente de mi ${accountType} en ${account.bankName} ` +
      `terminada en ${account.last4}, una sola vez, la cantidad de ${formatDollars(amountCents)}, por la factura ${invoiceId}, el ${easternDate('es', at)} o después, y, de ser necesario, ` +
      `a acreditar mi cuenta para corregir un débito erróneo. Soy titular de esta cuenta o tengo autorización para firmar en ella. Puedo revocar esta autorización ` +
      `${contacts.join(' o ') || 'comunicándome con el consultorio'} antes de que el débito se envíe a mi banco, lo cual puede ocurrir en cuestión de horas. ` +
      `Si mi banco devuelve el débito sin pagarlo, seguiré debiendo esa cantidad.`
    );
  },
};

/** By version. Never change a released one: links render theirs again. Add the next one beside it. */
export const authorizationTemplates: ReadonlyMap<string, Template> = new Map([['2026-11-20.2', november2026]]);

/** What new bank connections are offered. */
export const currentAuthorizationTemplate = '2026-11-20.2';

function easternDate(locale: Locale, at: number): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'America/New_York', dateStyle: 'long' }).format(at);
}
