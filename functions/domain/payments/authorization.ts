import { daysIn, day, toIso } from '../time.ts';
import type { BankAccount } from './debit.ts';
import { type Locale, locales } from '../locale.ts';
import type { Payee } from '../practices/practice.ts';
import { sha256 } from '../identifier.ts';
import { payerOf, type Session } from '../sessions/session.ts';

/** The Reserve Banks use US Eastern time. */
const easternDay = daysIn('America/New_York');

const fixedHolidays = ['01-01', '06-19', '07-04', '11-11', '12-25'];

const [sunday, monday, thursday, saturday] = [0, 1, 4, 6];

const floatingHolidays = [
  { name: 'Martin Luther King Jr. Day', month: 1, weekday: monday, from: 15 },
  { name: "Presidents' Day", month: 2, weekday: monday, from: 15 },
  { name: 'Memorial Day', month: 5, weekday: monday, from: 25 },
  { name: 'Labor Day', month: 9, weekday: monday, from: 1 },
  { name: 'Columbus Day', month: 10, weekday: monday, from: 8 },
  { name: 'Thanksgiving Day', month: 11, weekday: thursday, from: 22 },
];

export function nextBankingDay(time: number): string {
  let midnight = Date.parse(easternDay(time)) + day;
  while (!isBankingDay(midnight)) midnight += day;
  return toIso(midnight).slice(0, 10);
}

/** How many banking days after its authorization a debit may still be submitted. The text promises the next one. */
const bankingDaysToSubmit = 3;

/** In milliseconds since 1970: the end of the last banking day on which a debit with this authorization may be submitted. */
export function authorizationExpiry(authorizedAt: string): number {
  let last = Date.parse(authorizedAt);
  // Noon is the same day in every zone of the United States.
  for (let days = 0; days < bankingDaysToSubmit; days += 1) last = Date.parse(`${nextBankingDay(last)}T17:00:00.000Z`);
  return last + day / 2;
}

/** A Saturday holiday leaves Friday open; Sunday's closes Monday (frbservices.org, Holiday Schedules). */
function isBankingDay(midnight: number): boolean {
  const date = new Date(midnight);
  const [weekday, month, dayOfMonth] = [date.getUTCDay(), date.getUTCMonth() + 1, date.getUTCDate()];
  if (weekday === saturday || weekday === sunday) return false;
  if (
    floatingHolidays.some(
      (holiday) =>
        holiday.month === month &&
        holiday.weekday === weekday &&
        dayOfMonth >= holiday.from &&
        dayOfMonth < holiday.from + 7,
    )
  )
    return false;
  const observed = weekday === monday ? [midnight - day, midnight] : [midnight];
  return !observed.some((time) => fixedHolidays.includes(toIso(time).slice(5, 10)));
}

/** Everything that the text depends on. */
export interface Terms {
  readonly amountCents: number;
  readonly invoiceId: string;
  readonly payee: Payee;
  readonly account: BankAccount;
  /** The name on the bank account, which need not be the patient's. */
  readonly payerName: string;
  /** In US Eastern time, like the debit date. */
  readonly authorizedOn: string;
  /** The earliest day of the debit: the next banking day, as a date without a time zone. */
  readonly debitDate: string;
}

/** Each line is a paragraph. */
type Template = Readonly<Record<Locale, (terms: Terms) => string>>;

/** Part of every template, so it must never change either. */
const howToRevoke: Readonly<Record<Locale, (payee: Payee) => string>> = {
  en({ supportPhone, supportEmail }) {
    const ways = [supportPhone && `calling ${supportPhone}`, supportEmail && `writing to ${supportEmail}`];
    return ways.filter(Boolean).join(' or ') || 'contacting the practice';
  },
  es({ supportPhone, supportEmail }) {
    const ways = [supportPhone && `llamando al ${supportPhone}`, supportEmail && `escribiendo a ${supportEmail}`];
    return ways.filter(Boolean).join(' o ') || 'comunicándome con el consultorio';
  },
};
const accountTypesInSpanish = { checking: 'cuenta de cheques', savings: 'cuenta de ahorros' } as const;

const november2026: Template = {
  en({ amountCents, invoiceId, payee, account, payerName, authorizedOn, debitDate }) {
    return (
      `I, ${payerName}, authorize ${payee.name} and its payment processor to electronically debit my ${account.accountType} account at ${account.bankName} ` +
      `ending in ${account.last4} once, for ${formatDollars(amountCents)}, for invoice ${invoiceId}, on or after ${longDate('en', debitDate)}, and, if necessary, to credit my account ` +
      `to correct an erroneous debit.\nI am an owner or authorized signer of this account.\nI can revoke this authorization by ${howToRevoke.en(payee)} ` +
      `before the debit is sent to my bank, which may be within hours.\nIf the debit is returned unpaid, I still owe the amount.\n` +
      `Date: ${longDate('en', authorizedOn)} (US Eastern time)`
    );
  },
  es({ amountCents, invoiceId, payee, account, payerName, authorizedOn, debitDate }) {
    return (
      `Yo, ${payerName}, autorizo a ${payee.name} y a su procesador de pagos a debitar electrónicamente de mi ${accountTypesInSpanish[account.accountType]} en ${account.bankName} ` +
      `terminada en ${account.last4}, una sola vez, la cantidad de ${formatDollars(amountCents)}, por la factura ${invoiceId}, el ${longDate('es', debitDate)} o después, y, de ser necesario, ` +
      `a acreditar mi cuenta para corregir un débito erróneo.\nSoy titular de esta cuenta o tengo autorización para firmar en ella.\nPuedo revocar esta autorización ` +
      `${howToRevoke.es(payee)} antes de que el débito se envíe a mi banco, lo cual puede ocurrir en cuestión de horas.\n` +
      `Si mi banco devuelve el débito sin pagarlo, seguiré debiendo esa cantidad.\nFecha: ${longDate('es', authorizedOn)} (hora del este de EE. UU.)`
    );
  },
};

/** Templates by version. Never change a released one: open links render it again. Add a new version instead. */
export const authorizationTemplates: ReadonlyMap<string, Template> = new Map([['2026-11-25.1', november2026]]);

/** The template that new bank connections get. */
export const currentAuthorizationTemplate = '2026-11-25.1';

function longDate(locale: Locale, day: string): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long' }).format(Date.parse(day));
}

export function formatDollars(amountCents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amountCents / 100);
}

/** Follows Nacha's WEB rules. The ID is the text's hash: it proves what the patient saw. */
export interface Authorization {
  readonly id: string;
  readonly text: string;
  readonly templateVersion: string;
  readonly locale: Locale;
}

type Offer = Pick<
  Session,
  | 'amountCents'
  | 'invoiceId'
  | 'patient'
  | 'payerName'
  | 'payee'
  | 'bankAccount'
  | 'bankConnectedAt'
  | 'authorizationTemplate'
>;

/**
 * Renders the text from what was stored when the bank was connected, for a debit authorized now. Undefined if no bank is
 * connected, or if this version does not know the template.
 */
export function offeredIn(session: Offer, locale: Locale, now: number): Authorization | undefined {
  const { amountCents, invoiceId, payee, bankAccount: account, bankConnectedAt, authorizationTemplate = '' } = session;
  const template = authorizationTemplates.get(authorizationTemplate);
  const payerName = payerOf(session);
  if (!template || !payee || !account || bankConnectedAt === undefined || payerName === undefined) return undefined;
  const dates = { authorizedOn: easternDay(now), debitDate: nextBankingDay(now) };
  const text = template[locale]({ amountCents, invoiceId, payee, account, payerName, ...dates });
  return { id: sha256(text), text, templateVersion: `${authorizationTemplate}.${locale}`, locale };
}

export function offeredById(session: Offer, id: string, now: number): Authorization | undefined {
  return locales.map((locale) => offeredIn(session, locale, now)).find((offered) => offered?.id === id);
}
