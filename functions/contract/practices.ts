import * as z from 'zod/mini';
import { scopes } from '../domain/api-key.ts';
import { retryPolicies } from '../domain/retry-schedule.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import { sessionEventTypes } from '../domain/transitions.ts';
import { format, line, lines, parseHttpsUrl } from './text.ts';

const practiceName = line(200);
const endpointUrl = line(200);

const supportPhone = z
  .string()
  .check(z.regex(/^\+?[\d ().-]{7,30}$/, 'Use 7 to 30 digits, spaces, dots, hyphens or parentheses.'));
const supportEmail = z.email();
const postalAddress = lines(200, 4);
const pageUrl = z.string().check(
  z.maxLength(500),
  format(
    (text) => /[^.]\.[^.]/.test(parseHttpsUrl(text)?.hostname ?? ''),
    { expected: 'an https URL without a user name or password' },
    'Use an https URL like https://lakeside.example/privacy.',
  ),
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

/** The practice itself cannot change the rest. */
export const operatorSettings = z.extend(practiceSettings, {
  rateLimit: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
});

export const newPractice = z.extend(settings, { name: practiceName, webhookUrl: z.optional(endpointUrl) });

/** By default it has every scope but `webhooks:write` and never expires. */
export const newKey = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  scopes: z.optional(z.array(z.enum(scopes)).check(z.minLength(1))),
  expiresInDays: z.optional(z.int().check(z.minimum(1), z.maximum(3650))),
});
export type NewKey = z.infer<typeof newKey>;

const rotationEnd = z.enum(['now', '1h', '24h', '7d']);
export type RotationEnd = z.infer<typeof rotationEnd>;

export const keyRotation = z.strictObject({ end: z._default(rotationEnd, '24h') });

const eventTypes = z.array(z.enum(sessionEventTypes)).check(z.minLength(1), z.maxLength(sessionEventTypes.length));
const retryPolicy = z.enum(retryPolicies);

export const newEndpoint = z.strictObject({
  url: endpointUrl,
  eventTypes: z.optional(eventTypes),
  retryPolicy: z.optional(retryPolicy),
});
export type NewEndpoint = z.infer<typeof newEndpoint>;

/** An absent field keeps its value. */
export const endpointFilters = z.strictObject({
  eventTypes: z.optional(
    z.pipe(
      z.array(z.enum([...sessionEventTypes, 'all'])).check(z.minLength(1)),
      z.transform((types) => (types.includes('all') ? 'all' : types.flatMap((type) => (type === 'all' ? [] : type)))),
    ),
  ),
  retryPolicy: z.optional(retryPolicy),
});

export const endpointMove = z.strictObject({ url: endpointUrl });

export const endpointChange = z.extend(endpointFilters, { url: z.optional(endpointUrl) });

/** Null: every event type. */
export const endpointUpdate = z.strictObject({
  url: z.optional(endpointUrl),
  eventTypes: z.optional(z.nullable(eventTypes)),
  retryPolicy: z.optional(retryPolicy),
  status: z.optional(z.enum(['enabled', 'disabled'])),
});

export const secretRotation = z.strictObject({
  keepOldHours: z._default(z.int().check(z.minimum(0), z.maximum(168)), 24),
});

export const since = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (date) => /^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(date)),
        'Use a date like 2026-11-20 or 2026-11-20T15:00:00Z.',
      ),
    ),
  z.transform((date) => Date.parse(date)),
);
