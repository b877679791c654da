import { authorizationTemplates } from './authorization-templates.ts';
import { easternDay, nextBankingDay } from './banking-day.ts';
import { sha256 } from '../identifier.ts';
import { locales, type Locale } from '../locale.ts';
import { payerOf } from '../sessions/patient-name.ts';
import type { Session } from '../sessions/session.ts';

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
