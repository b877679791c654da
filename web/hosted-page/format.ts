import type { SessionView } from '../../functions/contract/patient-api.ts';
import { texts } from './texts.ts';

const locale = 'en-US';

/** "$182.50" */
export function formatAmount({ amountCents, currency }: Pick<SessionView, 'amountCents' | 'currency'>): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amountCents / 100);
}

/** "Nov 20, 2026, 3:04 PM EST", in the patient's own time zone unless told otherwise. */
export function formatTime(time: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone,
  }).format(new Date(time));
}

/** "Sandbox Bank checking •••• 6789" */
export function formatBankAccount({ bankName, accountType, last4 }: NonNullable<SessionView['bankAccount']>): string {
  return `${bankName} ${texts.accountTypes[accountType]} ••••\u00a0${last4}`;
}

/** "Maria L.": all that a forwarded link should reveal before somebody has signed in to a bank. */
export function formatShortName({ firstName, lastName }: SessionView['patient']): string {
  const [initial] = lastName;
  return initial === undefined ? firstName : `${firstName} ${initial}.`;
}

/** "Maria Lopez" */
export function formatFullName({ firstName, lastName }: SessionView['patient']): string {
  return `${firstName} ${lastName}`;
}

/** The style of a practice's name: one that takes many lines is set smaller, so that the button below it stays in sight, and never cut. */
export function nameSize(name: string): 'long-name' | undefined {
  return name.length > 40 ? 'long-name' : undefined;
}
