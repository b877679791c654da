import { endpointNotFound, Problem } from '../contract/problems.ts';
import type { EndpointChange, NewEndpoint } from '../contract/practices.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { hour, toIso } from '../domain/time.ts';
import { generateEndpointId, replayStart, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { generateSigningSecret } from '../domain/webhook-signature.ts';
import { targetProblem } from '../domain/webhook-target.ts';
import type { Database } from '../store/database.ts';
import {
  updateWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateSigningSecret,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  type EndpointKey,
} from '../store/webhook-endpoints.ts';
import { requirePractice } from './require-practice.ts';

interface EndpointTools {
  readonly database: Database<'practices' | 'webhookEndpoints'>;
  readonly randomBytes: RandomBytes;
  /** Whether a URL may lead to this machine: on a local stack only. */
  readonly allowLoopbackWebhooks: boolean;
}

interface EndpointDatabase {
  readonly database: Database<'webhookEndpoints'>;
}

/** Adds an endpoint with a new signing secret; throws a problem if its URL is not allowed. */
export async function addEndpoint(
  tools: EndpointTools,
  input: NewEndpoint & { readonly practiceId: string },
  now: number,
) {
  await requirePractice(tools.database, input.practiceId);
  requireAllowedUrl(tools, input.url);
  const endpoint = makeEndpoint(tools, input, now);
  await createWebhookEndpoint(tools.database, endpoint);
  return { endpointId: endpoint.endpointId, url: endpoint.url, signingSecret: endpoint.signingSecret };
}

/** Makes the row of an endpoint, which the caller writes. */
export function makeEndpoint(
  { randomBytes }: Pick<EndpointTools, 'randomBytes'>,
  { practiceId, url, eventTypes, retryPolicy }: NewEndpoint & { readonly practiceId: string },
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
    retryPolicy,
  };
}

/** The endpoints of a practice, without their secrets. */
export async function listEndpoints(
  { database }: Pick<EndpointTools, 'database'>,
  { practiceId }: { readonly practiceId: string },
) {
  await requirePractice(database, practiceId);
  return { endpoints: (await listWebhookEndpoints(database, practiceId)).map(withoutSecrets) };
}

function withoutSecrets(endpoint: WebhookEndpoint) {
  const { endpointId, url, status, eventTypes, retryPolicy, createdAt, previousSecretExpiresAt } = endpoint;
  const { disabledReason, disabledAt, failingSince, failedAttempts, circuitOpenUntil } = endpoint;
  return {
    endpointId,
    url,
    status,
    eventTypes,
    retryPolicy,
    disabledReason,
    disabledAt,
    failingSince,
    failedAttempts,
    circuitOpenUntil,
    previousSecretExpiresAt,
    createdAt,
  };
}

/** Changes what is given. If a new URL replaces one that missed webhooks, `missedSince` is where to start a replay. */
export async function updateEndpoint(
  { database, allowLoopbackWebhooks }: Pick<EndpointTools, 'database' | 'allowLoopbackWebhooks'>,
  { practiceId, endpointId, url, eventTypes, retryPolicy }: EndpointChange & EndpointKey,
) {
  if (url !== undefined) requireAllowedUrl({ allowLoopbackWebhooks }, url);
  const found = await requireEndpoint(database, { practiceId, endpointId });
  const change = {
    ...(url !== undefined && { url }),
    ...(eventTypes && { eventTypes }),
    ...(retryPolicy && { retryPolicy }),
  };
  const changed =
    Object.keys(change).length === 0
      ? found
      : await updateWebhookEndpoint(database, { practiceId, endpointId }, change);
  if (!changed) throw endpointNotFound();
  return {
    endpointId,
    url: changed.url,
    status: changed.status,
    eventTypes: changed.eventTypes,
    retryPolicy: changed.retryPolicy,
    missedSince: url !== undefined && changed.status === 'enabled' ? found.missedSince : undefined,
  };
}

/** Deletes an endpoint for good. Deliveries that are pending end as `skipped`. */
export async function deleteEndpoint({ database }: EndpointDatabase, { practiceId, endpointId }: EndpointKey) {
  await requireEndpoint(database, { practiceId, endpointId });
  await deleteWebhookEndpoint(database, { practiceId, endpointId });
  return { endpointId, status: 'deleted' };
}

/** Disables an endpoint. Until it is enabled again, deliveries are kept as `skipped`. */
export async function disableEndpoint(
  { database }: EndpointDatabase,
  { practiceId, endpointId }: EndpointKey,
  now: number,
) {
  const { status, disabledAt } =
    (await disableWebhookEndpoint(database, { practiceId, endpointId }, now)) ??
    (await requireEndpoint(database, { practiceId, endpointId }));
  return { endpointId, status, disabledAt };
}

/** Enables an endpoint. If it missed webhooks, `missedSince` is where to start a replay. */
export async function enableEndpoint({ database }: EndpointDatabase, { practiceId, endpointId }: EndpointKey) {
  const before = await enableWebhookEndpoint(database, { practiceId, endpointId });
  if (!before) throw endpointNotFound();
  return { endpointId, status: 'enabled', missedSince: replayStart(before) };
}

/** Gives an endpoint a new signing secret. The old one also signs for `keepOldHours` (24; 0 after a leak). */
export async function rotateSecret(
  { database, randomBytes }: EndpointDatabase & Pick<EndpointTools, 'randomBytes'>,
  { practiceId, endpointId, keepOldHours = 24 }: EndpointKey & { readonly keepOldHours?: number | undefined },
  now: number,
) {
  const previousSecretExpiresAt = toIso(now + keepOldHours * hour);
  const signingSecret = generateSigningSecret(randomBytes);
  const change = { signingSecret, previousSecretExpiresAt };
  if (!(await rotateSigningSecret(database, practiceId, endpointId, change))) throw endpointNotFound();
  return { signingSecret, previousSecretExpiresAt };
}

/** The secret that signs an endpoint's webhooks now. */
export async function getSigningSecret({ database }: EndpointDatabase, key: EndpointKey): Promise<string> {
  return (await requireEndpoint(database, key)).signingSecret;
}

/** Moves an endpoint to this URL, or adds one there if it was deleted. */
export async function placeEndpoint(
  tools: EndpointTools,
  { practiceId, endpointId, url }: EndpointKey & { readonly url: string },
  now: number,
) {
  const found = await getWebhookEndpoint(tools.database, practiceId, endpointId);
  if (!found) return addEndpoint(tools, { practiceId, url }, now);
  requireAllowedUrl(tools, url);
  if (found.url !== url) await updateWebhookEndpoint(tools.database, { practiceId, endpointId }, { url });
  return { endpointId, url, signingSecret: found.signingSecret };
}

/** Throws a problem if webhooks may not be sent to this URL. */
export function requireAllowedUrl(
  { allowLoopbackWebhooks }: Pick<EndpointTools, 'allowLoopbackWebhooks'>,
  url: string,
): void {
  const problem = targetProblem(url, allowLoopbackWebhooks);
  if (problem !== undefined) throw new Problem('webhook_url_not_allowed', problem);
}

async function requireEndpoint(
  database: Database<'webhookEndpoints'>,
  { practiceId, endpointId }: EndpointKey,
): Promise<WebhookEndpoint> {
  const found = await getWebhookEndpoint(database, practiceId, endpointId);
  if (!found) throw endpointNotFound();
  return found;
}
