import * as z from 'zod/mini';
import { plainText } from '../plain-text.ts';
import { randomBase62, type RandomBytes } from '../identifier.ts';
import { isoTime } from '../time.ts';

const longestPhoneNumber = 40;

const group = String.raw`(?:\d|\(\d(?:[ -]?\d)*\))`;
/** A space and a punctuation mark are alternatives, so that a long text is refused quickly. */
const groups = String.raw`${group}(?:(?: | ?[./-] ?)?${group})*`;
const countryCode = String.raw`(?:\+ ?(?=\(?[1-9])|\(\+[1-9]\d{0,2}\) ?)`;
const digits = new RegExp(`^${countryCode}?${groups}$`);

const label = String.raw`(?:ext(?:ensi[oó]n|n)?|x|#)[.:=]? ?(\d{1,7})`;
const extension = new RegExp(String.raw`(?: ?[,;-])? ?(?:\(${label}\)|${label})$`, 'iu');

/** As it is stored and shown: no invisible characters, and plain digits, spaces and hyphens. */
export function plainPhoneNumber(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ').trim();
}

/** Accepts every country's numbers: 7 digits dial within a city, and E.164 allows at most 15. */
export function isPhoneNumber(plain: string): boolean {
  if (plain.length > longestPhoneNumber) return false;
  const { number } = partsOf(plain);
  const count = number.replaceAll(/\D/g, '').length;
  return digits.test(number) && count >= 7 && count <= 15;
}

/** What a phone dials, as in RFC 3966. */
export function phoneUri(plain: string): string {
  const parts = partsOf(plain);
  const isInternational = /^\(?\+/.test(parts.number);
  // The zero is dialed only within the country.
  const dialed = (isInternational ? parts.number.replace('(0)', '') : parts.number).replaceAll(/\D/g, '');
  return `tel:${isInternational ? '+' : ''}${dialed}${parts.extension === undefined ? '' : `;ext=${parts.extension}`}`;
}

function partsOf(plain: string): { readonly number: string; readonly extension: string | undefined } {
  const found = extension.exec(plain);
  return { number: plain.slice(0, found?.index), extension: found?.[1] ?? found?.[2] };
}

/** The version of the terms that the dashboard shows. Change it whenever you change the terms. */
export const termsVersion = '2026-11-21';

export const payee = z.object({
  name: z.string(),
  supportPhone: z.optional(z.string()),
  supportEmail: z.optional(z.string()),
  /** How the practice appears on the patient's bank statement. Derived from the name by default. */
  statementDescriptor: z.optional(z.string()),
});
export type Payee = z.infer<typeof payee>;

/** Which version of the live payment terms was accepted, when, and by whom. */
export const termsAccepted = z.object({ version: z.string(), at: isoTime, by: z.string() });

/** The operator's fee on each debit: a fixed amount plus hundredths of a percent. */
export const applicationFeeSettings = z.object({
  applicationFeeCents: z.optional(z.int()),
  applicationFeeBasisPoints: z.optional(z.int()),
});

/** What members of the practice see. */
export const shownPractice = z.object({
  practiceId: z.string(),
  name: z.string(),
  createdAt: isoTime,
  primaryColor: z.string(),
  /** A path, valid on the dashboard's host too. */
  logoUrl: z.optional(z.string()),
  supportPhone: z.optional(z.string()),
  supportEmail: z.optional(z.string()),
  /** Several lines, as on an envelope. */
  postalAddress: z.optional(z.string()),
  /** The practice's own pages. If absent, patients see ours. */
  privacyUrl: z.optional(z.string()),
  termsUrl: z.optional(z.string()),
  linkLifetimeDays: z.int(),
  sessionLifetimeSeconds: z.int(),
  /** Whether patients can extend an open session. */
  extensions: z.boolean(),
  invoiceGuard: z.boolean(),
  /** How long an ended session keeps the patient's details: names, bank account and metadata. */
  retentionMonths: z.int(),
  /** An IANA name, such as America/New_York. The dashboard's days are in this zone. */
  timeZone: z.string(),
  /** The practice's own fee. If absent, its platform's applies. The practice cannot change it. */
  ...applicationFeeSettings.shape,
  /** According to the processor's last answer. */
  depositReadyAt: z.optional(isoTime),
  /** While present, the processor takes no debits for the practice. */
  debitsStoppedAt: z.optional(isoTime),
  /** When the processor stops the account unless it gets what it needs, and the last reminder, in days before. */
  depositDeadline: z.optional(z.object({ at: isoTime, remindedDays: z.int() })),
  termsAccepted: z.optional(termsAccepted),
  /** The platform whose keys and staff may act for it, and since when. Both are present, or neither. */
  platformId: z.optional(z.string()),
  platformSince: z.optional(isoTime),
  /** While present: no new sessions and no authorizations. */
  suspendedAt: z.optional(isoTime),
  /** Closing cannot be undone. */
  closedAt: z.optional(isoTime),
});

export const practice = z.extend(shownPractice, {
  ...payee.shape,
  /** Every session up to this ID is scrubbed. */
  scrubbedTo: z.optional(z.string()),
  testBankPassword: z.string(),
  /** The practice's account at the processor, which gets the money of live payments. */
  depositAccountId: z.optional(z.string()),
  /** Only the platform began the suspension, so it may end it. */
  suspendedByPlatform: z.optional(z.boolean()),
  /** The bank account or debit card that the processor pays out to, as last seen. The processor computes the fingerprint. */
  depositBank: z.optional(z.object({ bankName: z.string(), last4: z.string(), fingerprint: z.string() })),
  /** Requests per second with its API keys, if the operator set a limit for this practice. */
  rateLimit: z.optional(z.int()),
});
export type Practice = z.infer<typeof practice>;

/** Whether patients can pay it now. */
export function takesPayments({ suspendedAt, closedAt, debitsStoppedAt }: Practice): boolean {
  return suspendedAt === undefined && closedAt === undefined && debitsStoppedAt === undefined;
}

export function payeeOf(current: Payee): Payee {
  return z.parse(payee, current);
}

export const defaultPrimaryColor = '#1d4ed8';

export function generatePracticeId(randomBytes: RandomBytes): string {
  return `prc_${randomBase62(20, randomBytes)}`;
}

/** The company name field of an ACH batch header. */
const longestDescriptor = 16;
/** A processor rejects a shorter descriptor, and one without a letter. */
const shortestDescriptor = 5;

export function statementTextOf({ name, statementDescriptor: chosen }: Payee): string {
  return chosen ?? statementDescriptor(name);
}

export function statementDescriptor(practiceName: string): string {
  const plain = practiceName
    .normalize('NFKD')
    .replaceAll(/[\p{Mark}'’]/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, ' ');
  const text = plain.trim().slice(0, longestDescriptor).trimEnd();
  if (!/[A-Z]/.test(text)) return 'INVOICE PAYMENT';
  return text.length < shortestDescriptor ? `${text} PAYMENT` : text;
}
