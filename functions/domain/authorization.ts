import { authorizationTemplates } from './authorization-templates.ts';
import { nextBankingDay } from './banking-day.ts';
import { sha256 } from './identifier.ts';
import { locales, type Locale } from './locale.ts';
import type { Session } from './session.ts';

/** Follows Nacha's WEB rules. The id, a hash, proves what the patient saw. */
export interface Authorization {
  readonly id: string;
  readonly text: string;
  readonly templateVersion: string;
  readonly locale: Locale;
}

type Offer = Pick<
  Session,
  'amountCents' | 'invoiceId' | 'payee' | 'bankAccount' | 'bankConnectedAt' | 'authorizationTemplate'
>;

/**
 * Rendered from what was stored when the bank was connected, for a debit that is authorized now. Undefined before, and for
 * a template we do not have.
 */
export function offeredIn(session: Offer, locale: Locale, now: number): Authorization | undefined {
  const { amountCents, invoiceId, payee, bankAccount: account, bankConnectedAt, authorizationTemplate = '' } = session;
  const template = authorizationTemplates.get(authorizationTemplate);
  if (!template || !payee || !account || bankConnectedAt === undefined) return undefined;
  const text = template[locale]({ amountCents, invoiceId, payee, account, debitDate: nextBankingDay(now) });
  return { id: sha256(text), text, templateVersion: `${authorizationTemplate}.${locale}`, locale };
}

export function offeredById(session: Offer, id: string, now: number): Authorization | undefined {
  return locales.map((locale) => offeredIn(session, locale, now)).find((offered) => offered?.id === id);
}
