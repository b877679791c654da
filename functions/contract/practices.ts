import * as z from 'zod/mini';
import { scopes } from '../domain/api-key.ts';
import { retryPolicies } from '../domain/retry-schedule.ts';
import { sessionEventTypes } from '../domain/transitions.ts';
import { line } from './text.ts';

/** The inputs of the operator's command and the dashboard, with their bounds. */

/** Patients decide by this name whether to trust the page. */
export const practiceName = line(200);
export const sessionLifetimeSeconds = z.int().check(z.minimum(60), z.maximum(86_400));
export const linkLifetimeDays = z.int().check(z.minimum(1), z.maximum(365));
export const supportPhone = z.string().check(z.regex(/^\+?[\d ().-]{7,30}$/));
export const supportEmail = z.email();
export const primaryColor = z.string().check(z.regex(/^#[0-9a-f]{6}$/i));

/** Changes to a practice's settings. An absent field keeps its value. */
export const practiceSettings = z.strictObject({
  name: z.optional(practiceName),
  sessionLifetimeSeconds: z.optional(sessionLifetimeSeconds),
  linkLifetimeDays: z.optional(linkLifetimeDays),
  supportPhone: z.optional(supportPhone),
  supportEmail: z.optional(supportEmail),
  primaryColor: z.optional(primaryColor),
  /** Whether one invoice can be paid at most once. */
  invoiceGuard: z.optional(z.boolean()),
});
export type PracticeSettings = z.infer<typeof practiceSettings>;

export const keyName = z.string().check(z.minLength(1), z.maxLength(200));
export const keyScopes = z.array(z.enum(scopes)).check(z.minLength(1));
export const keyLifetimeDays = z.int().check(z.minimum(1), z.maximum(3650));

/** A new API key. By default it has every scope and never expires. */
export const newKey = z.strictObject({
  name: keyName,
  scopes: z.optional(keyScopes),
  expiresInDays: z.optional(keyLifetimeDays),
});
export type NewKey = z.infer<typeof newKey>;

/** How long a rotated API key keeps working. */
export const rotationEnd = z.enum(['now', '1h', '24h', '7d']);
export type RotationEnd = z.infer<typeof rotationEnd>;

/** The use case decides which hosts are allowed. */
export const endpointUrl = z.string().check(z.minLength(1), z.maxLength(200));
export const eventTypes = z.array(z.enum(sessionEventTypes)).check(z.minLength(1));
export const retryPolicy = z.enum(retryPolicies);

/** A new webhook endpoint. By default it gets every event type. */
export const newEndpoint = z.strictObject({
  url: endpointUrl,
  eventTypes: z.optional(eventTypes),
  retryPolicy: z.optional(retryPolicy),
});
export type NewEndpoint = z.infer<typeof newEndpoint>;

/** Changes to a webhook endpoint. An absent field keeps its value. */
export const endpointChange = z.strictObject({
  url: z.optional(endpointUrl),
  eventTypes: z.optional(z.union([eventTypes, z.literal('all')])),
  retryPolicy: z.optional(retryPolicy),
});
export type EndpointChange = z.infer<typeof endpointChange>;

/** How many hours the previous signing secret keeps signing after a rotation. */
export const keepOldHours = z.int().check(z.minimum(0), z.maximum(168));

/** A date, or a date and time, as milliseconds since 1970. */
export const since = z.pipe(
  z.string().check(
    z.refine((date) => /^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(date)), {
      params: { hint: 'a date like 2026-11-20 or 2026-11-20T15:00:00Z' },
    }),
  ),
  z.transform((date) => Date.parse(date)),
);
