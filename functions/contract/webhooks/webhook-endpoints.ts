import * as z from 'zod/mini';
import { practiceEventTypes } from '../../domain/practices/platform.ts';
import { sessionEventTypes } from '../../domain/sessions/transitions.ts';
import { isoTime } from '../../domain/time.ts';
import { retryPolicies } from '../../domain/webhooks/retry-schedule.ts';
import { idempotencyHeaders, idempotencyProblems, replayable } from '../idempotency.ts';
import { endpointDisabled, endpointNotFound, tooManyEndpoints, urlNotAllowed } from '../management-problems.ts';
import { keyProblems, type PracticeRoute, withKey } from '../practice-route.ts';
import { bodyProblems } from '../problems.ts';
import { line, matching, withoutSensitiveData } from '../text.ts';

function aboutEndpoints(method: PracticeRoute['method'], path = '') {
  return { ...withKey('webhooks:write', method, `/api/practice/webhook-endpoints${path}`), platform: 'too' } as const;
}

export const ofEndpoint = { endpointId: 'The `endpointId` of the webhook endpoint.' };

/** Defaults for a practice's route about one endpoint. */
export function aboutEndpoint(method: PracticeRoute['method'], path = '') {
  return {
    ...aboutEndpoints(method, `/{endpointId}${path}`),
    params: z.object({ endpointId: z.string() }),
    parameters: ofEndpoint,
  } as const;
}

/** Never includes a secret. */
export const webhookEndpointBody = z.object({
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  eventTypes: z.optional(z.array(z.string())),
  practiceIds: z.optional(z.array(z.string())),
  retryPolicy: z._default(z.enum(retryPolicies), 'standard'),
  createdAt: isoTime,
  disabledReason: z.optional(z.enum(['gone', 'failing'])),
  disabledAt: z.optional(isoTime),
  failingSince: z.optional(isoTime),
  lastFailure: z.optional(
    z.object({
      statusCode: z.optional(z.int()),
      /** Not an enum, which generated clients could not read once there is another reason. */
      error: z.optional(z.string()),
      redirectsTo: z.optional(z.string()),
    }),
  ),
  previousSecretExpiresAt: z.optional(isoTime),
});

export const webhookEndpointList = z.object({ data: z.array(webhookEndpointBody) });

export const sentTestEvent = z.object({ endpointId: z.string(), eventId: z.string() });

export const deletedWebhookEndpoint = z.object({ endpointId: z.string(), status: z.literal('deleted') });

/** Keeps the row within one write unit for most platforms, and its reads cheap. */
const mostPracticeIds = 100;

export const endpointUrl = line(500).check(...withoutSensitiveData('url'));
const namedTypes = [...sessionEventTypes, ...practiceEventTypes];
const eventTypes = z.array(z.enum(namedTypes)).check(
  z.minLength(1),
  z.maxLength(namedTypes.length),
  z.overwrite((types) => [...new Set(types)]),
);
const practiceIds = z.array(z.string().check(matching(/^prc_[0-9A-Za-z]{20}$/, "a practice's ID"))).check(
  z.minLength(1),
  z.maxLength(mostPracticeIds),
  z.overwrite((ids) => [...new Set(ids)]),
);
const retryPolicy = z.enum(retryPolicies);

export const newEndpoint = z.strictObject({
  url: endpointUrl,
  eventTypes: z.optional(eventTypes),
  practiceIds: z.optional(practiceIds),
  retryPolicy: z.optional(retryPolicy),
});
export type NewEndpoint = z.infer<typeof newEndpoint>;

/** An absent field keeps its value. */
export const endpointFilters = z.strictObject({
  eventTypes: z.optional(
    z.pipe(
      z.array(z.enum([...namedTypes, 'all'])).check(z.minLength(1)),
      z.transform((types) => (types.includes('all') ? 'all' : types.flatMap((type) => (type === 'all' ? [] : type)))),
    ),
  ),
  practiceIds: z.optional(
    z.union([
      practiceIds,
      z.pipe(
        z.tuple([z.literal('all')]),
        z.transform(() => 'all' as const),
      ),
    ]),
  ),
  retryPolicy: z.optional(retryPolicy),
});

export const endpointMove = z.strictObject({ url: endpointUrl });

export const endpointChange = z.extend(endpointFilters, { url: z.optional(endpointUrl) });

/** `eventTypes: null` means every type that is not opt-in; `practiceIds: null`, every practice of the platform. */
export const endpointUpdate = z.strictObject({
  url: z.optional(endpointUrl),
  eventTypes: z.optional(z.nullable(eventTypes)),
  practiceIds: z.optional(z.nullable(practiceIds)),
  retryPolicy: z.optional(retryPolicy),
  status: z.optional(z.enum(['enabled', 'disabled'])),
});

export const secretRotation = z.strictObject({
  keepOldHours: z._default(z.int().check(z.minimum(0), z.maximum(168)), 24),
});

export const createdWebhookEndpoint = z.extend(webhookEndpointBody, { signingSecret: z.string() });

export const rotatedSigningSecret = z.object({ signingSecret: z.string(), previousSecretExpiresAt: isoTime });

export const practiceEndpointRoutes = {
  listWebhookEndpoints: {
    ...aboutEndpoints('GET'),
    summary: 'List webhook endpoints',
    description: 'Every endpoint of the practice, without its secret. Strongly consistent.',
    response: webhookEndpointList,
    problems: keyProblems,
  },
  createWebhookEndpoint: {
    ...aboutEndpoints('POST'),
    platform: 'itself',
    summary: 'Create a webhook endpoint',
    description:
      'The response is the only one with the `signingSecret`. The first events can arrive before it does. ' +
      "The practice's admins get an email. Send an `Idempotency-Key` to make retries safe: for 24 hours, the same key with the same body returns the original response, and concurrent duplicates create one endpoint. " +
      'It does so even if the endpoint was deleted since: to create it again, use a new key. A rejected request does not use up its key.',
    ...idempotencyHeaders,
    body: newEndpoint,
    status: 201,
    response: createdWebhookEndpoint,
    ...replayable,
    problems: {
      ...keyProblems,
      ...bodyProblems,
      ...idempotencyProblems,
      ...urlNotAllowed,
      ...tooManyEndpoints,
    },
  },
  getWebhookEndpoint: {
    ...aboutEndpoint('GET'),
    summary: 'Get a webhook endpoint',
    description: 'Without its secret. Strongly consistent.',
    response: webhookEndpointBody,
    problems: { ...keyProblems, ...endpointNotFound },
  },
  changeWebhookEndpoint: {
    ...aboutEndpoint('POST'),
    platform: 'itself',
    summary: 'Change a webhook endpoint',
    description:
      'An absent field keeps its value. A new URL applies to the next attempt of every delivery. ' +
      'While an endpoint is disabled, nothing is sent to it. ' +
      "The practice's admins get an email about a new URL.",
    body: endpointUpdate,
    response: webhookEndpointBody,
    problems: { ...keyProblems, ...bodyProblems, ...endpointNotFound, ...urlNotAllowed },
  },
  deleteWebhookEndpoint: {
    ...aboutEndpoint('DELETE'),
    platform: 'itself',
    summary: 'Delete a webhook endpoint',
    description: "Nothing more is sent to it, not even retries. The practice's admins get an email.",
    response: deletedWebhookEndpoint,
    problems: { ...keyProblems, ...endpointNotFound },
  },
  rotateSigningSecret: {
    ...aboutEndpoint('POST', '/rotate-secret'),
    platform: 'itself',
    summary: "Rotate an endpoint's signing secret",
    description:
      'Until `previousSecretExpiresAt`, each webhook carries a signature by both secrets, and by older secrets that have not expired, ' +
      'five at most, so calling this twice breaks nothing. With `keepOldHours: 0`, only the new secret signs. ' +
      "The body can be left out. The practice's admins get an email.",
    body: secretRotation,
    bodyOptional: true,
    response: rotatedSigningSecret,
    problems: { ...keyProblems, ...bodyProblems, ...endpointNotFound },
  },
  testWebhookEndpoint: {
    ...aboutEndpoint('POST', '/test'),
    summary: 'Send a test event',
    description:
      'Takes no body. Sends a `webhook.test` event with this `eventId` to the endpoint, with the usual retries.',
    response: sentTestEvent,
    problems: {
      ...keyProblems,
      ...endpointNotFound,
      ...endpointDisabled,
    },
  },
} as const satisfies Readonly<Record<string, PracticeRoute>>;
