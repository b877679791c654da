import type { PracticeSettings } from '../../functions/contract/practices/dashboard-settings.ts';
import type { Request } from './api.ts';
import { brandColors } from '../hosted-page/brand.ts';

/** The settings as typed. */
export type SettingsValues = ReturnType<typeof valuesOf>;

export function valuesOf(settings: PracticeSettings) {
  return {
    name: settings.name,
    primaryColor: settings.primaryColor,
    supportPhone: settings.supportPhone ?? '',
    supportEmail: settings.supportEmail ?? '',
    postalAddress: settings.postalAddress ?? '',
    privacyUrl: settings.privacyUrl ?? '',
    termsUrl: settings.termsUrl ?? '',
    linkLifetimeDays: String(settings.linkLifetimeDays),
    sessionMinutes: String(settings.sessionLifetimeSeconds / 60),
    extensions: settings.extensions,
    retentionMonths: String(settings.retentionMonths),
    timeZone: settings.timeZone,
    invoiceGuard: settings.invoiceGuard,
  };
}

type Change = NonNullable<Request<'changeSettings'>['body']>;

/** Returns only the changed settings. Undefined if nothing changed. */
export function changeOf(values: SettingsValues, current: PracticeSettings): Change | undefined {
  const { linkLifetimeDays, sessionMinutes, retentionMonths, ...rest } = values;
  const wanted: Required<Change> = {
    ...rest,
    name: values.name.trim(),
    supportPhone: values.supportPhone.trim() || null,
    supportEmail: values.supportEmail.trim() || null,
    postalAddress: values.postalAddress.trim() || null,
    privacyUrl: values.privacyUrl.trim() || null,
    termsUrl: values.termsUrl.trim() || null,
    linkLifetimeDays: Number(linkLifetimeDays),
    retentionMonths: Number(retentionMonths),
    sessionLifetimeSeconds: Math.round(Number(sessionMinutes) * 60),
  };
  const before: Record<string, unknown> = { ...current };
  const changed = Object.entries(wanted).filter(([name, value]) => (before[name] ?? null) !== value);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** Settings that someone else changed and that the user did not type over. */
export function unseenChanges(
  values: SettingsValues,
  shown: PracticeSettings,
  saved: PracticeSettings,
): Partial<SettingsValues> {
  const typed: Record<string, unknown> = { ...values };
  const before: Record<string, unknown> = valuesOf(shown);
  const after = Object.entries(valuesOf(saved));
  return Object.fromEntries(after.filter(([name, now]) => typed[name] === before[name] && now !== before[name]));
}

export function checkSettings(values: SettingsValues) {
  const unless = (isFine: boolean, words: string) => (isFine ? undefined : words);
  const enterLink = 'Enter a link that begins with https://.';
  return {
    name: unless(values.name.trim() !== '', 'Enter the practice’s name.'),
    primaryColor: unless(/^#[\da-f]{6}$/i.test(values.primaryColor), 'Enter a color like #0f766e.'),
    supportEmail: unless(
      /^(\S+@\S+\.\S+)?$/.test(values.supportEmail.trim()),
      'Enter an email address like billing@lakeside.example.',
    ),
    privacyUrl: unless(isLink(values.privacyUrl), enterLink),
    termsUrl: unless(isLink(values.termsUrl), enterLink),
    linkLifetimeDays: unless(isLinkLifetime(values), 'Enter a whole number from 1 to 365.'),
    retentionMonths: unless(isWithin(values.retentionMonths, 1, 84, true), 'Enter a whole number from 1 to 84.'),
    sessionMinutes: unless(isSessionLifetime(values), 'Enter a number from 1 to 1440.'),
  };
}

/** As typed, or as saved if the typed ones are out of range. */
export function lifetimesOf(values: SettingsValues, saved: PracticeSettings) {
  return {
    linkLifetimeDays: isLinkLifetime(values) ? Number(values.linkLifetimeDays) : saved.linkLifetimeDays,
    sessionLifetimeSeconds: isSessionLifetime(values)
      ? Number(values.sessionMinutes) * 60
      : saved.sessionLifetimeSeconds,
  };
}

function isLinkLifetime({ linkLifetimeDays }: SettingsValues): boolean {
  return isWithin(linkLifetimeDays, 1, 365, true);
}

function isSessionLifetime({ sessionMinutes }: SettingsValues): boolean {
  return isWithin(sessionMinutes, 1, 1440, false);
}

/** Also accepts an empty text, which means no link. */
function isLink(text: string): boolean {
  return /^(https:\/\/\S+)?$/.test(text.trim());
}

function isWithin(text: string, minimum: number, maximum: number, whole: boolean): boolean {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return number >= minimum && number <= maximum && (!whole || Number.isInteger(number));
}

/** Says how the payment page keeps text and buttons in this color readable. */
export function colorHint(color: string): string | undefined {
  const colors = brandColors(color);
  if (!colors) return undefined;
  const words = `Text on it is ${colors.onBrand === '#ffffff' ? 'white' : 'black'}.`;
  const faint = [...(colors.edgeOnLight === color ? [] : ['light']), ...(colors.edgeOnDark === color ? [] : ['dark'])];
  if (faint.length === 0) return words;
  return `${words} It is hard to see on ${faint.join(' and ')} pages, so buttons get a gray edge there.`;
}
