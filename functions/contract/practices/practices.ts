import * as z from 'zod/mini';
import { isPhoneNumber, plainPhoneNumber } from '../../domain/practices/practice.ts';
import { isTimeZone } from '../../domain/time.ts';
import { format, lines, parseHttpsUrl, withoutSensitiveData, words } from '../text.ts';
import { endpointUrl } from '../webhooks/webhook-endpoints.ts';
import { scopes } from '../../domain/practices/api-key.ts';

/** By default, a key has the default scopes and never expires. */
export const newKey = z.strictObject({
  name: words(200),
  scopes: z.optional(z.array(z.enum(scopes)).check(z.minLength(1))),
  expiresInDays: z.optional(z.int().check(z.minimum(1), z.maximum(3650))),
});
export type NewKey = z.infer<typeof newKey>;

const rotationEnd = z.enum(['now', '1h', '24h', '7d']);
export type RotationEnd = z.infer<typeof rotationEnd>;

export const keyRotation = z.strictObject({ end: z._default(rotationEnd, '24h') });

const practiceName = words(200);

const supportPhone = z
  .string()
  .check(
    z.overwrite(plainPhoneNumber),
    format(
      isPhoneNumber,
      { expected: 'a phone number of 7 to 15 digits, which may have an extension, in at most 40 characters' },
      'Give one phone number of 7 to 15 digits, such as (555) 010-0100 or +1 555 010 0100 ext. 12.',
    ),
    ...withoutSensitiveData('value'),
  );
const supportEmail = z.email().check(...withoutSensitiveData('value'));
const postalAddress = lines(200, 4);
const pageUrl = z.string().check(
  z.maxLength(500),
  format(
    (text) => /[^.]\.[^.]/.test(parseHttpsUrl(text)?.hostname ?? ''),
    { expected: 'an https URL without a username or password' },
    'Use an https URL like https://lakeside.example/privacy.',
  ),
  ...withoutSensitiveData('url'),
);

const settings = z.strictObject({
  name: z.optional(practiceName),
  sessionLifetimeSeconds: z.optional(z.int().check(z.minimum(60), z.maximum(86_400))),
  extensions: z.optional(z.boolean()),
  linkLifetimeDays: z.optional(z.int().check(z.minimum(1), z.maximum(365))),
  supportPhone: z.optional(supportPhone),
  supportEmail: z.optional(supportEmail),
  postalAddress: z.optional(postalAddress),
  privacyUrl: z.optional(pageUrl),
  termsUrl: z.optional(pageUrl),
  primaryColor: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Use a color like #0f766e.'))),
  invoiceGuard: z.optional(z.boolean()),
  retentionMonths: z.optional(z.int().check(z.minimum(1), z.maximum(84))),
  timeZone: z.optional(z.string().check(z.refine(isTimeZone, 'Use a time zone like America/New_York.'))),
});

/** An absent field keeps its value; null removes it. */
export const practiceSettings = z.extend(settings, {
  supportPhone: z.optional(z.nullable(supportPhone)),
  supportEmail: z.optional(z.nullable(supportEmail)),
  postalAddress: z.optional(z.nullable(postalAddress)),
  privacyUrl: z.optional(z.nullable(pageUrl)),
  termsUrl: z.optional(z.nullable(pageUrl)),
});

/** A practice's or platform's fee. 0 turns it off, even if the practice's platform has one; null removes it. */
export const feeSettings = z.strictObject({
  applicationFeeCents: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(10_000)))),
  applicationFeeBasisPoints: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(5_000)))),
});

/** Adds settings that the practice itself cannot change. */
export const operatorSettings = z.extend(practiceSettings, {
  rateLimit: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  ...feeSettings.shape,
});

export const newPractice = z.extend(settings, { name: practiceName, webhookUrl: z.optional(endpointUrl) });

export const newPlatform = z.strictObject({ name: practiceName });
