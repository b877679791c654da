import { sha256 } from './identifier.ts';
import type { Locale } from './locale.ts';
import { formatDollars } from './money.ts';
import type { Payee } from './practice.ts';
import type { Authorization, Session } from './session.ts';
import type { BankAccount } from './debit.ts';

/** Change the version with the wording: evidence records it. */
export const authorizationTemplateVersions: Readonly<Record<Locale, string>> = {
  en: '2026-11-20.2.en',
  es: '2026-11-20.2.es',
};

interface Terms {
  readonly amount: string;
  readonly invoiceId: string;
  readonly payee: Payee;
  readonly account: BankAccount;
  readonly date: string;
}

const templates: Readonly<Record<Locale, (terms: Terms) => string>> = {
  en({ amount, invoiceId, payee, account, date }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [supportPhone && `calling ${supportPhone}`, supportEmail && `writing to ${supportEmail}`].filter(
      Boolean,
    );
    return (
      `I authorize ${payee.name} and its payment processor to electronically debit my ${account.accountType} account at ${account.bankName} ` +
      `ending in ${account.last4} once, for ${amount}, for invoice ${invoiceId}, on or after ${date}, and, if necessary, to credit my account ` +
      `to correct an erroneous debit. I am an owner or authorized signer of this account. I can revoke this authorization by ${contacts.join(' or ') || 'contacting the practice'} ` +
      `before the debit is sent to my bank, which may be within hours. If the debit is returned unpaid, I still owe the amount.`
    );
  },
  es({ amount, invoiceId, payee, account, date }) {
    const { supportPhone, supportEmail } = payee;
    const contacts = [
      supportPhone && `llamando al ${supportPhone}`,
      supportEmail && `escribiendo a ${supportEmail}`,
    ].filter(Boolean);
    const accountType = { checking: 'cuenta de cheques', savings: 'cuenta de ahorros' }[account.accountType];
    return (
      `Autorizo a ${payee.name} y a su procesador de pagos a debitar electrónicamente de mi ${accountType} en ${account.bankName} ` +
      `terminada en ${account.last4}, una sola vez, la cantidad de ${amount}, por la factura ${invoiceId}, el ${date} o después, y, de ser necesario, ` +
      `a acreditar mi cuenta para corregir un débito erróneo. Soy titular de esta cuenta o tengo autorización para firmar en ella. Puedo revocar esta autorización ` +
      `${contacts.join(' o ') || 'comunicándome con el consultorio'} antes de que el débito se envíe a mi banco, lo cual puede ocurrir en cuestión de horas. ` +
      `Si mi banco devuelve el débito sin pagarlo, seguiré debiendo esa cantidad.`
    );
  },
};

/** Follows Nacha's WEB rules. The id, a hash, proves what the patient saw. */
export function renderAuthorizations(
  { amountCents, invoiceId }: Session,
  payee: Payee,
  account: BankAccount,
  now: number,
): Record<Locale, Authorization> {
  const terms = { amount: formatDollars(amountCents), invoiceId, payee, account };
  const render = (locale: Locale): Authorization => {
    const date = new Intl.DateTimeFormat(locale, { timeZone: 'America/New_York', dateStyle: 'long' }).format(now);
    const text = templates[locale]({ ...terms, date });
    return { id: sha256(text), text, templateVersion: authorizationTemplateVersions[locale], locale };
  };
  return { en: render('en'), es: render('es') };
}

export function offeredIn({ offeredAuthorizations }: Session, locale: Locale): Authorization | undefined {
  return offeredAuthorizations?.[locale];
}

export function offeredById({ offeredAuthorizations }: Session, id: string): Authorization | undefined {
  return Object.values(offeredAuthorizations ?? {}).find((text) => text.id === id);
}
