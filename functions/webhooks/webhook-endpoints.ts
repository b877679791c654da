import { endpointChange, newEndpoint, type NewEndpoint } from '../contract/webhooks/webhook-endpoints.ts';
import { Problem } from '../contract/problem.ts';
import type { Audited } from '../domain/team/audit-entry.ts';
import { pick } from '../domain/collections.ts';
import { toIso } from '../domain/time.ts';
import { generateEndpointId, replayStart, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { generateSigningSecret } from '../domain/webhooks/webhook-signature.ts';
import { spellingProblem, targetProblem } from '../domain/webhooks/webhook-target.ts';
import type { ReadingTools, WritingTools } from '../store/database.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
  type EndpointKey,
} from '../store/webhooks/webhook-endpoints.ts';
import {
  endpointEntry,
  shownUrl,
  type EndpointOfAuthor,
  endpointNotFound,
  requireEndpoint,
  requireEndpointId,
  requireAllowedEventTypes,
  requireServed,
} from './requirements.ts';
import { parseInput, requireChange, type Unchecked, requireOwner } from '../practices/requirements.ts';

export interface EndpointTools extends WritingTools {
  /** True only on a local stack. */
  readonly allowLoopbackWebhooks: boolean;
}

interface OfPractice {
  readonly practiceId: string;
}

type AddInput = Unchecked<typeof newEndpoint> & OfPractice & Audited;

export async function addEndpoint(tools: EndpointTools, input: AddInput, now: number) {
  const { endpoint, entry, created } = await prepareEndpoint(tools, input, now);
  await createWebhookEndpoint(tools.database, endpoint, entry);
  return created;
}

/** The caller writes the rows. Throws a Problem if the URL is not allowed or the practice has too many endpoints. */
export async function prepareEndpoint(tools: EndpointTools, { practiceId, author, ...given }: AddInput, now: number) {
  const input = parseInput(newEndpoint, given);
  await requireOwner(tools.database, practiceId);
  requireAllowedUrl(tools, input.url);
  requireAllowedEventTypes(practiceId, input.eventTypes ?? []);
  await requireServed(tools.database, practiceId, input.practiceIds);
  await requireRoom(tools, practiceId);
  const endpoint = makeEndpoint(tools, { ...input, practiceId }, now);
  const { endpointId, eventTypes, practiceIds } = endpoint;
  const details = {
    url: shownUrl(input.url),
    eventTypes: eventTypes?.join(' '),
    practiceIds: practiceIds?.join(' '),
  };
  const entry = endpointEntry(tools, { practiceId, endpointId, author }, 'webhook_endpoint.created', now, details);
  return { endpoint, entry, created: { ...summaryOf(endpoint), signingSecret: endpoint.signingSecret } };
}

const maximumEndpoints = 20;

/** Concurrent requests can exceed the limit by a few, which does no harm. */
async function requireRoom({ database }: Pick<EndpointTools, 'database'>, practiceId: string): Promise<void> {
  const endpoints = await listWebhookEndpoints(database, practiceId);
  if (endpoints.length >= maximumEndpoints)
    throw new Problem(
      'too_many_webhook_endpoints',
      `A practice can have ${maximumEndpoints}. Delete one that you no longer use.`,
    );
}

/** The caller writes the row. */
export function makeEndpoint(
  { randomBytes }: Pick<EndpointTools, 'randomBytes'>,
  { practiceId, url, eventTypes, practiceIds, retryPolicy }: NewEndpoint & OfPractice,
  now: number,
): WebhookEndpoint {
  return {
    practiceId,
    endpointId: generateEndpointId(randomBytes),
    url,
    signingSecret: generateSigningSecret(randomBytes),
    status: 'enabled',
    createdAt: toIso(now),
    eventTypes,
    practiceIds,
    retryPolicy,
  };
}

/** Lists endpoints without their secrets. */
export async function listEndpoints({ database }: ReadingTools, { practiceId }: OfPractice) {
  await requireOwner(database, practiceId);
  const endpoints = await listWebhookEndpoints(database, practiceId);
  return { endpoints: endpoints.map(summaryOf) };
}

export async function showEndpoint({ database }: ReadingTools, key: EndpointKey) {
  return summaryOf(await requireEndpoint(database, key));
}

/** Leaves out the secrets. */
function summaryOf(endpoint: WebhookEndpoint) {
  return pick(endpoint, [
    'endpointId',
    'url',
    'status',
    'eventTypes',
    'practiceIds',
    'retryPolicy',
    'disabledReason',
    'disabledAt',
    'failingSince',
    'lastFailure',
    'failedAttempts',
    'circuitOpenUntil',
    'missedSince',
    'previousSecretExpiresAt',
    'createdAt',
  ]);
}

/** If the old URL missed webhooks, the answer's `missedSince` is where a replay should start. */
export async function updateEndpoint(
  tools: WritingTools & Pick<EndpointTools, 'allowLoopbackWebhooks'>,
  { practiceId, endpointId, author, ...given }: Unchecked<typeof endpointChange> & EndpointOfAuthor,
  now: number,
) {
  const { database } = tools;
  const input = parseInput(endpointChange, given);
  requireChange(input);
  const { url, eventTypes, practiceIds, retryPolicy } = input;
  if (url !== undefined) requireAllowedUrl(tools, url);
  if (eventTypes !== 'all') requireAllowedEventTypes(practiceId, eventTypes ?? []);
  const key = { practiceId, endpointId };
  const found = await requireEndpoint(database, key);
  // Programs send back what they read, which may name a practice that has left.
  const added = practiceIds === 'all' ? undefined : practiceIds?.filter((each) => !found.practiceIds?.includes(each));
  await requireServed(database, practiceId, added);
  const action = url === undefined ? 'webhook_endpoint.updated' : 'webhook_endpoint.moved';
  const details = {
    ...(url !== undefined && { from: shownUrl(found.url), url: shownUrl(url) }),
    eventTypes: typeof eventTypes === 'string' ? eventTypes : eventTypes?.join(' '),
    practiceIds: typeof practiceIds === 'string' ? practiceIds : practiceIds?.join(' '),
    retryPolicy,
  };
  const entry = endpointEntry(tools, { ...key, author }, action, now, details);
  const changed = await updateWebhookEndpoint(database, found, { url, eventTypes, practiceIds, retryPolicy }, entry);
  if (!changed) throw endpointNotFound();
  const missedSince = url === undefined ? changed.missedSince : (changed.missedSince ?? found.missedSince);
  return { ...summaryOf(changed), missedSince };
}

/** Pending deliveries end as `skipped`. */
export async function deleteEndpoint(tools: WritingTools, { author, ...key }: EndpointOfAuthor, now: number) {
  const { practiceId, endpointId } = key;
  const { url } = await requireEndpoint(tools.database, { practiceId, endpointId });
  const entry = endpointEntry(tools, { practiceId, endpointId, author }, 'webhook_endpoint.deleted', now, {
    url: shownUrl(url),
  });
  if (!(await deleteWebhookEndpoint(tools.database, { practiceId, endpointId }, entry))) throw endpointNotFound();
  return { endpointId, status: 'deleted' as const };
}

/** Until the endpoint is enabled again, deliveries are stored as `skipped`. */
export async function disableEndpoint(tools: WritingTools, key: EndpointOfAuthor, now: number) {
  requireEndpointId(key.endpointId);
  const entry = endpointEntry(tools, key, 'webhook_endpoint.disabled', now);
  const disabled = await disableWebhookEndpoint(tools.database, key, now, entry);
  if (!disabled) throw endpointNotFound();
  return summaryOf(disabled);
}

/** If the endpoint missed webhooks, the answer's `missedSince` is where a replay should start. */
export async function enableEndpoint(tools: WritingTools, key: EndpointOfAuthor, now: number) {
  const found = await requireEndpoint(tools.database, key);
  // Otherwise repeating the request would hide an outage.
  if (found.status === 'enabled') return { ...summaryOf(found), missedSince: found.missedSince };
  const missedSince = replayStart(found);
  // If the answer is lost, the audit log still says where a replay should start.
  const entry = endpointEntry(tools, key, 'webhook_endpoint.enabled', now, { missedSince });
  const enabled = await enableWebhookEndpoint(tools.database, found, entry);
  // The endpoint has changed since it was read.
  if (!enabled) return enableEndpoint(tools, key, now);
  return { ...summaryOf(enabled), missedSince };
}

/** Moves the endpoint to this URL, or adds a new one if it was deleted. */
export async function placeEndpoint(
  tools: EndpointTools,
  { url, eventTypes, ...key }: EndpointOfAuthor & Pick<AddInput, 'url' | 'eventTypes'>,
  now: number,
) {
  const { practiceId, endpointId, author } = key;
  const found = await getWebhookEndpoint(tools.database, practiceId, endpointId);
  if (!found) return addEndpoint(tools, { practiceId, url, eventTypes, author }, now);
  if (found.url !== url) await updateEndpoint(tools, { practiceId, endpointId, author, url }, now);
  return { endpointId, url, signingSecret: found.signingSecret };
}

/** Throws a Problem if webhooks may not go to this URL. */
export function requireAllowedUrl(
  { allowLoopbackWebhooks }: Pick<EndpointTools, 'allowLoopbackWebhooks'>,
  url: string,
): void {
  const problem = targetProblem(url, allowLoopbackWebhooks) ?? spellingProblem(url);
  if (problem !== undefined) throw new Problem('webhook_url_not_allowed', problem);
}
