import { createdWebhookEndpoint, type NewEndpoint, endpointUpdate } from '../contract/webhooks/webhook-endpoints.ts';
import { replayOf } from '../contract/idempotency.ts';
import type { Audited } from '../domain/team/audit-entry.ts';
import { sha256 } from '../domain/identifier.ts';
import { getIdempotencyKey, putIdempotencyKey } from '../store/idempotency-keys.ts';
import { createWebhookEndpoint } from '../store/webhooks/webhook-endpoints.ts';
import {
  addEndpoint,
  prepareEndpoint,
  type EndpointTools,
  disableEndpoint,
  enableEndpoint,
  updateEndpoint,
} from './webhook-endpoints.ts';
import { parseInput, type Unchecked } from '../practices/requirements.ts';
import type { EndpointOfAuthor } from './requirements.ts';

interface AddOnceInput extends NewEndpoint, Audited {
  readonly practiceId: string;
  readonly idempotencyKey: string | undefined;
}

/** Adds an endpoint, or replays the response to an earlier request with the same key. Throws like `addEndpoint`. */
export async function addEndpointOnce(
  tools: EndpointTools,
  { idempotencyKey: key, ...input }: AddOnceInput,
  now: number,
) {
  if (key === undefined) return { response: await addEndpoint(tools, input, now), replayed: false };

  const { database } = tools;
  const { practiceId, url, eventTypes = null, retryPolicy = null, practiceIds } = input;
  const requestHash = sha256(JSON.stringify(['add endpoint', url, eventTypes, retryPolicy, ...(practiceIds ?? [])]));
  const request = { practiceId, key, requestHash };
  // Read before the limit is checked: the earlier request may have created the last endpoint that it allows.
  const earlier = await getIdempotencyKey(database, request, now);
  if (earlier) return replayOf(createdWebhookEndpoint, earlier, requestHash);

  const { endpoint, entry, created: response } = await prepareEndpoint(tools, input, now);
  const once = putIdempotencyKey(database, { ...request, responseBody: JSON.stringify(response) }, now);
  const twin = await createWebhookEndpoint(database, endpoint, entry, once);
  return twin ? replayOf(createdWebhookEndpoint, twin, requestHash) : { response, replayed: false };
}

/** Writes the settings first, then the status. If the second write fails, repeating the request completes it. */
export async function changeEndpoint(
  tools: Parameters<typeof updateEndpoint>[0],
  { practiceId, endpointId, author, ...given }: Unchecked<typeof endpointUpdate> & EndpointOfAuthor,
  now: number,
) {
  const { status, eventTypes, practiceIds, ...others } = parseInput(endpointUpdate, given);
  const settings = {
    ...others,
    eventTypes: eventTypes === null ? ['all'] : eventTypes,
    practiceIds: practiceIds === null ? ['all'] : practiceIds,
  };
  const key = { practiceId, endpointId, author };
  if (status === undefined) return updateEndpoint(tools, { ...settings, ...key }, now);
  if (Object.values(settings).some((value) => value !== undefined))
    await updateEndpoint(tools, { ...settings, ...key }, now);
  return status === 'enabled' ? enableEndpoint(tools, key, now) : disableEndpoint(tools, key, now);
}
