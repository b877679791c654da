import { createdWebhookEndpoint, type NewEndpoint } from '../contract/webhooks/webhook-endpoints.ts';
import { replayOf } from '../contract/idempotency.ts';
import type { Audited } from '../domain/team/audit-entry.ts';
import { sha256 } from '../domain/identifier.ts';
import type { Database } from '../store/database.ts';
import { getIdempotencyKey, putIdempotencyKey } from '../store/idempotency-keys.ts';
import { createWebhookEndpoint } from '../store/webhooks/webhook-endpoints.ts';
import { addEndpoint, prepareEndpoint, type EndpointTools } from './webhook-endpoints.ts';

interface AddOnceTools extends EndpointTools {
  readonly database: EndpointTools['database'] & Database<'idempotencyKeys'>;
}

interface AddOnceInput extends NewEndpoint, Audited {
  readonly practiceId: string;
  readonly idempotencyKey: string | undefined;
}

/** Adds an endpoint, or replays the response to an earlier request with the same key. Throws like `addEndpoint`. */
export async function addEndpointOnce(
  tools: AddOnceTools,
  { idempotencyKey: key, ...input }: AddOnceInput,
  now: number,
) {
  if (key === undefined) return { response: await addEndpoint(tools, input, now), replayed: false };

  const { database } = tools;
  const { practiceId, url, eventTypes = null, retryPolicy = null } = input;
  const requestHash = sha256(JSON.stringify(['add endpoint', url, eventTypes, retryPolicy]));
  const request = { practiceId, key, requestHash };
  // Before the limit is checked: the earlier request may have created the last endpoint that it allows.
  const earlier = await getIdempotencyKey(database, request, now);
  if (earlier) return replayOf(createdWebhookEndpoint, earlier, requestHash);

  const { endpoint, entry, created: response } = await prepareEndpoint(tools, input, now);
  const once = putIdempotencyKey(database, { ...request, responseBody: JSON.stringify(response) }, now);
  const twin = await createWebhookEndpoint(database, endpoint, entry, once);
  return twin ? replayOf(createdWebhookEndpoint, twin, requestHash) : { response, replayed: false };
}
