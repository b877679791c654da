import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { hour, toIso } from '../../functions/domain/time.ts';
import { generateEndpointId, replayStart, type WebhookEndpoint } from '../../functions/domain/webhook-endpoint.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import { targetFault } from '../../functions/domain/webhook-target.ts';
import type { Database } from '../../functions/store/database.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateSigningSecret,
  turnWebhookOff,
  turnWebhookOn,
} from '../../functions/store/webhook-endpoints.ts';
import {
  endpointOptions,
  listOf,
  practiceOptions,
  requirePractice,
  text,
  wholeNumber,
  type EndpointOptions,
} from './options.ts';
import { OperatorError, type OperatedStack } from './stack.ts';
import { sessionEventTypes } from '../../functions/domain/transitions.ts';

interface EndpointsStack {
  readonly database: Database<'webhookEndpoints'>;
}

/** Whether every answer but 2xx and 410 is tried again, or only what the standard says. */
const retryPolicy = z.enum(['standard', 'all']);

export const addWebhookOptions = z.extend(practiceOptions, {
  url: text,
  events: z.optional(listOf(sessionEventTypes)),
  retry: z.optional(retryPolicy),
});
type AddWebhookOptions = z.output<typeof addWebhookOptions>;

export async function addWebhook(stack: OperatedStack, options: AddWebhookOptions, now: number) {
  await requirePractice(stack, options.practice);
  requireTarget(stack, options.url);
  const endpoint = newEndpoint(options, now);
  await createWebhookEndpoint(stack.database, endpoint);
  return { endpointId: endpoint.endpointId, url: endpoint.url, signingSecret: endpoint.signingSecret };
}

/** An endpoint that is not written yet. */
export function newEndpoint(options: AddWebhookOptions, now: number): WebhookEndpoint {
  return {
    practiceId: options.practice,
    endpointId: generateEndpointId(randomBytes),
    url: options.url,
    signingSecret: generateSigningSecret(randomBytes),
    status: 'enabled',
    createdAt: toIso(now),
    ...(options.events && { eventTypes: options.events }),
    ...(options.retry === 'all' && { retriesAllFailures: true }),
  };
}

/** The endpoints of a practice, without their secrets. */
export async function listWebhooks(stack: OperatedStack, { practice }: z.output<typeof practiceOptions>) {
  await requirePractice(stack, practice);
  const endpoints = await listWebhookEndpoints(stack.database, practice);
  return {
    endpoints: endpoints.map(
      ({
        endpointId,
        url,
        status,
        eventTypes,
        retriesAllFailures,
        disabledReason,
        disabledAt,
        failingSince,
        failedAttempts,
        circuitOpenUntil,
        previousSecretExpiresAt,
        createdAt,
      }) => ({
        endpointId,
        url,
        status,
        eventTypes,
        retriesAllFailures,
        disabledReason,
        disabledAt,
        failingSince,
        failedAttempts,
        circuitOpenUntil,
        previousSecretExpiresAt,
        createdAt,
      }),
    ),
  };
}

export const updateWebhookOptions = z.extend(endpointOptions, {
  url: z.optional(text),
  events: z.optional(listOf([...sessionEventTypes, 'all'])),
  retry: z.optional(retryPolicy),
});

/** Changes what is given of an endpoint, and says how to have sent to a new URL what the old one has missed. */
export async function updateWebhook(stack: OperatedStack, options: z.output<typeof updateWebhookOptions>) {
  const { practice: practiceId, endpoint: endpointId, url, events, retry } = options;
  if (url === undefined && events === undefined && retry === undefined)
    throw new OperatorError('Say what to change: --url, --events or --retry.');
  if (url !== undefined) requireTarget(stack, url);
  const { missedSince } = await requireEndpoint(stack, options);
  const changed = await changeWebhookEndpoint(
    stack.database,
    { practiceId, endpointId },
    {
      ...(url !== undefined && { url }),
      ...(events && { eventTypes: events.includes('all') ? 'all' : events }),
      ...(retry && { retriesAllFailures: retry === 'all' }),
    },
  );
  if (!changed) throw noSuchEndpoint();
  const { status, eventTypes, retriesAllFailures } = changed;
  return {
    endpointId,
    url: changed.url,
    status,
    eventTypes,
    retriesAllFailures,
    ...(url !== undefined && status === 'enabled' && missedSince !== undefined && replayOffer(options, missedSince)),
  };
}

/** Deletes an endpoint for good. What is pending for it ends as `skipped`. */
export async function deleteWebhook(stack: OperatedStack, options: EndpointOptions) {
  const { practiceId, endpointId } = await requireEndpoint(stack, options);
  await deleteWebhookEndpoint(stack.database, { practiceId, endpointId });
  return { endpointId, status: 'deleted' };
}

/** Turns an endpoint off. What happens meanwhile waits as `skipped` deliveries. */
export async function disableWebhook({ database }: EndpointsStack, options: EndpointOptions, now: number) {
  const { practice: practiceId, endpoint: endpointId } = options;
  const { status, disabledAt } =
    (await turnWebhookOff(database, { practiceId, endpointId }, now)) ?? (await requireEndpoint({ database }, options));
  return { endpointId, status, disabledAt };
}

/** Turns an endpoint on again, and says how to have sent what it has missed. */
export async function enableWebhook({ database }: EndpointsStack, options: EndpointOptions) {
  const { practice: practiceId, endpoint: endpointId } = options;
  const before = await turnWebhookOn(database, { practiceId, endpointId });
  if (!before) throw noSuchEndpoint();
  const since = replayStart(before);
  return { endpointId, status: 'enabled', ...(since !== undefined && replayOffer(options, since)) };
}

function replayOffer({ practice, endpoint }: EndpointOptions, missedSince: string) {
  return {
    missedSince,
    replay: `npm run -s practice -- replay --practice ${practice} --endpoint ${endpoint} --since ${missedSince}`,
  };
}

export const rotateSecretOptions = z.extend(endpointOptions, { 'keep-old-hours': z.optional(wholeNumber(0, 168)) });

/** Gives an endpoint a new secret; the old one signs beside it for `keep-old-hours` (24; 0 after a compromise). */
export async function rotateSecret(stack: OperatedStack, options: z.output<typeof rotateSecretOptions>, now: number) {
  const previousSecretExpiresAt = toIso(now + (options['keep-old-hours'] ?? 24) * hour);
  const signingSecret = generateSigningSecret(randomBytes);
  const rotated = await rotateSigningSecret(stack.database, options.practice, options.endpoint, {
    signingSecret,
    previousSecretExpiresAt,
  });
  if (!rotated) throw noSuchEndpoint();
  return { signingSecret, previousSecretExpiresAt };
}

/** The secret that an endpoint's webhooks are signed with now; what the demo receiver verifies with. */
export async function currentSigningSecret(
  stack: OperatedStack,
  { practiceId, endpointId }: { practiceId: string; endpointId: string },
): Promise<string> {
  return (await requireEndpoint(stack, { practice: practiceId, endpoint: endpointId })).signingSecret;
}

/** Brings an endpoint to this URL, or makes one there where it was deleted. */
export async function placeWebhook(
  stack: OperatedStack,
  { practiceId, endpointId }: { practiceId: string; endpointId: string },
  url: string,
  now: number,
) {
  const found = await getWebhookEndpoint(stack.database, practiceId, endpointId);
  if (!found) return addWebhook(stack, { practice: practiceId, url }, now);
  requireTarget(stack, url);
  if (found.url !== url) await changeWebhookEndpoint(stack.database, { practiceId, endpointId }, { url });
  return { endpointId, url, signingSecret: found.signingSecret };
}

/** Throws where a URL cannot be a webhook's. */
export function requireTarget({ allowLoopbackWebhooks }: OperatedStack, url: string): void {
  const fault = targetFault(url, allowLoopbackWebhooks);
  if (fault !== undefined) throw new OperatorError(fault);
}

/** Finds an endpoint; throws where the practice has none with this id. */
export async function requireEndpoint(
  { database }: EndpointsStack,
  options: EndpointOptions,
): Promise<WebhookEndpoint> {
  const found = await getWebhookEndpoint(database, options.practice, options.endpoint);
  if (!found) throw noSuchEndpoint();
  return found;
}

function noSuchEndpoint(): OperatorError {
  return new OperatorError('This practice has no such webhook endpoint.');
}
