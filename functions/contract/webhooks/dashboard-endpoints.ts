import * as z from 'zod/mini';
import { aboutOwner, memberProblems, practiceParams, type MemberRoute } from '../dashboard-route.ts';
import {
  managementProblems,
  endpointDisabled,
  endpointNotFound,
  tooManyEndpoints,
  urlNotAllowed,
} from '../management-problems.ts';
import { bodyProblems } from '../problems.ts';
import { since } from '../text.ts';
import { endpointFilters, endpointMove, newEndpoint, secretRotation } from './webhook-endpoints.ts';
import { attemptOutcome } from '../../domain/webhooks/delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { retryPolicies } from '../../domain/webhooks/retry-schedule.ts';

/** Never includes a secret. */
export const endpointSummary = z.object({
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  /** Absent means every type that is not opt-in. */
  eventTypes: z.optional(z.array(z.string())),
  /** Set only on a platform's endpoint. Absent means all of its practices. */
  practiceIds: z.optional(z.array(z.string())),
  /** Absent means `standard`. */
  retryPolicy: z.optional(z.enum(retryPolicies)),
  createdAt: isoTime,
  /** Absent if a person disabled it. */
  disabledReason: z.optional(z.enum(['gone', 'failing'])),
  disabledAt: z.optional(isoTime),
  failingSince: z.optional(isoTime),
  /** Leaves out where a redirect leads, which may contain a token. */
  lastFailure: z.optional(z.omit(attemptOutcome, { redirectsTo: true })),
  failedAttempts: z.optional(z.int()),
  circuitOpenUntil: z.optional(isoTime),
  previousSecretExpiresAt: z.optional(isoTime),
  /** Where a replay of what the endpoint missed should start. */
  missedSince: z.optional(isoTime),
});
export type EndpointSummary = z.infer<typeof endpointSummary>;

const endpointParams = z.extend(practiceParams, { endpointId: z.string() });

const createdEndpoint = z.object({ endpointId: z.string(), url: z.string(), signingSecret: z.string() });

export const endpointRoutes = {
  listWebhookEndpoints: {
    ...aboutOwner({ role: 'viewer' }, 'GET', '/webhook-endpoints'),
    summary: 'List webhook endpoints',
    description: 'Never includes a secret.',
    response: z.object({ endpoints: z.array(endpointSummary) }),
    problems: memberProblems,
  },
  createWebhookEndpoint: {
    ...aboutOwner({ role: 'admin', recentSignIn: true, ownMembersOnly: true }, 'POST', '/webhook-endpoints'),
    summary: 'Add a webhook endpoint',
    description: 'Returns its signing secret.',
    body: newEndpoint,
    status: 201,
    response: createdEndpoint,
    problems: { ...memberProblems, ...bodyProblems, ...urlNotAllowed, ...tooManyEndpoints },
  },
  changeWebhookEndpoint: {
    ...aboutOwner({ role: 'admin', ownMembersOnly: true }, 'POST', '/webhook-endpoints/{endpointId}'),
    summary: 'Change a webhook endpoint',
    description: 'Its event types and retry policy.',
    params: endpointParams,
    body: endpointFilters,
    response: endpointSummary,
    problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound },
  },
  moveWebhookEndpoint: {
    ...aboutOwner(
      { role: 'admin', recentSignIn: true, ownMembersOnly: true },
      'POST',
      '/webhook-endpoints/{endpointId}/url',
    ),
    summary: 'Move a webhook endpoint',
    description: 'Sends all further attempts to another URL.',
    params: endpointParams,
    body: endpointMove,
    response: endpointSummary,
    problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound, ...urlNotAllowed },
  },
  setWebhookEndpointStatus: {
    ...aboutOwner({ role: 'admin', ownMembersOnly: true }, 'POST', '/webhook-endpoints/{endpointId}/status'),
    summary: 'Enable or disable a webhook endpoint',
    description: 'Webhooks that a disabled endpoint misses can be replayed.',
    params: endpointParams,
    body: z.strictObject({ status: z.enum(['enabled', 'disabled']) }),
    response: endpointSummary,
    problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound },
  },
  rotateSigningSecret: {
    ...aboutOwner(
      { role: 'admin', recentSignIn: true, ownMembersOnly: true },
      'POST',
      '/webhook-endpoints/{endpointId}/rotate-secret',
    ),
    summary: 'Rotate a signing secret',
    description: 'The old secret keeps signing for the chosen time.',
    params: endpointParams,
    body: secretRotation,
    response: z.object({ signingSecret: z.string(), previousSecretExpiresAt: isoTime }),
    problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound },
  },
  revealSigningSecret: {
    ...aboutOwner(
      { role: 'admin', recentSignIn: true, ownMembersOnly: true },
      'POST',
      '/webhook-endpoints/{endpointId}/reveal-secret',
    ),
    summary: 'Reveal a signing secret',
    description: 'Writes an audit log entry.',
    params: endpointParams,
    response: z.object({ signingSecret: z.string() }),
    problems: { ...memberProblems, ...endpointNotFound },
  },
  deleteWebhookEndpoint: {
    ...aboutOwner({ role: 'admin', ownMembersOnly: true }, 'POST', '/webhook-endpoints/{endpointId}/delete'),
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries are no longer sent.',
    params: endpointParams,
    response: z.object({ endpointId: z.string(), status: z.literal('deleted') }),
    problems: { ...memberProblems, ...endpointNotFound },
  },
  testWebhookEndpoint: {
    ...aboutOwner({ role: 'admin' }, 'POST', '/webhook-endpoints/{endpointId}/test'),
    summary: 'Send a test event',
    description: "Poll the delivery for the receiver's answer.",
    params: endpointParams,
    response: z.object({ eventId: z.string(), endpointId: z.string() }),
    problems: { ...memberProblems, ...endpointNotFound, ...endpointDisabled },
  },
  replayWebhookEndpoint: {
    ...aboutOwner({ role: 'staff' }, 'POST', '/webhook-endpoints/{endpointId}/replay'),
    summary: 'Replay missed deliveries',
    description: 'Sends failed and skipped deliveries again, at most 14 days back.',
    params: endpointParams,
    body: z.strictObject({ since }),
    response: z.object({ since: isoTime, replayed: z.int(), more: z.boolean() }),
    problems: {
      ...memberProblems,
      ...bodyProblems,
      ...endpointNotFound,
      ...endpointDisabled,
      since_in_future: managementProblems.since_in_future,
    },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
