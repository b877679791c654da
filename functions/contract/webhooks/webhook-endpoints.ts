import * as z from 'zod/mini';
import { retryPolicies } from '../../domain/webhooks/retry-schedule.ts';
import { sessionEventTypes } from '../../domain/sessions/transitions.ts';
import { line, withoutSensitiveData } from '../text.ts';

export const endpointUrl = line(500).check(...withoutSensitiveData('url'));
const eventTypes = z.array(z.enum(sessionEventTypes)).check(
  z.minLength(1),
  z.maxLength(sessionEventTypes.length),
  z.overwrite((types) => [...new Set(types)]),
);
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

/** `eventTypes: null` means every type that need not be named. */
export const endpointUpdate = z.strictObject({
  url: z.optional(endpointUrl),
  eventTypes: z.optional(z.nullable(eventTypes)),
  retryPolicy: z.optional(retryPolicy),
  status: z.optional(z.enum(['enabled', 'disabled'])),
});

export const secretRotation = z.strictObject({
  keepOldHours: z._default(z.int().check(z.minimum(0), z.maximum(168)), 24),
});
