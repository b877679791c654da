import { endpointChange, newEndpoint, secretRotation, type NewEndpoint } from '../contract/practices.ts';
import { Problem } from '../contract/problems.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { pick } from '../domain/pick.ts';
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
import { endpointNotFound, requireEndpoint } from '../webhooks/requirements.ts';
import { parseInput, type Unchecked } from './parse-input.ts';
import { requireChange } from './require-change.ts';
import { requirePractice } from './require-practice.ts';

interface EndpointTools {
  readonly database: Database<'practices' | 'webhookEndpoints'>;
  readonly randomBytes: RandomBytes;
  /** True only on a local stack. */
  readonly allowLoopbackWebhooks: boolean;
}

interface OfPractice {
  readonly practiceId: string;
}

interface EndpointDatabase {
  readonly database: Database<'webhookEndpoints'>;
}

export async function addEndpoint(
  tools: EndpointTools,
  { practiceId, ...given }: Unchecked<typeof newEndpoint> & OfPractice,
  now: number,
) {
  const input = parseInput(newEndpoint, given);
  await requirePractice(tools.database, practiceId);
  requireAllowedUrl(tools, input.url);
  const endpoint = makeEndpoint(tools, { ...input, practiceId }, now);
  await createWebhookEndpoint(tools.database, endpoint);
  return { endpointId: endpoint.endpointId, url: endpoint.url, signingSecret: endpoint.signingSecret };
}

/** The caller writes the row. */
export function makeEndpoint(
  { randomBytes }: Pick<EndpointTools, 'randomBytes'>,
  { practiceId, url, eventTypes, retryPolicy }: NewEndpoint & OfPractice,
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

/** Lists endpoints without their secrets. */
export async function listEndpoints({ database }: Pick<EndpointTools, 'database'>, { practiceId }: OfPractice) {
  await requirePractice(database, practiceId);
  const endpoints = await listWebhookEndpoints(database, practiceId);
  return {
    endpoints: endpoints.map((endpoint) =>
      pick(endpoint, [
        'endpointId',
        'url',
        'status',
        'eventTypes',
        'retryPolicy',
        'disabledReason',
        'disabledAt',
        'failingSince',
        'failedAttempts',
        'circuitOpenUntil',
        'previousSecretExpiresAt',
        'createdAt',
      ]),
    ),
  };
}

/** If a new URL replaces one that missed webhooks, a replay starts at `missedSince`. */
export async function updateEndpoint(
  { database, allowLoopbackWebhooks }: Pick<EndpointTools, 'database' | 'allowLoopbackWebhooks'>,
  { practiceId, endpointId, ...given }: Unchecked<typeof endpointChange> & EndpointKey,
) {
  const input = parseInput(endpointChange, given);
  requireChange(input);
  const { url, eventTypes, retryPolicy } = input;
  if (url !== undefined) requireAllowedUrl({ allowLoopbackWebhooks }, url);
  const found = await requireEndpoint(database, { practiceId, endpointId });
  const changed = await updateWebhookEndpoint(database, { practiceId, endpointId }, { url, eventTypes, retryPolicy });
  if (!changed) throw endpointNotFound();
  return {
    ...pick(changed, ['endpointId', 'url', 'status', 'eventTypes', 'retryPolicy']),
    missedSince: url !== undefined && changed.status === 'enabled' ? found.missedSince : undefined,
  };
}

/** Pending deliveries end as `skipped`. */
export async function deleteEndpoint({ database }: EndpointDatabase, { practiceId, endpointId }: EndpointKey) {
  await requireEndpoint(database, { practiceId, endpointId });
  await deleteWebhookEndpoint(database, { practiceId, endpointId });
  return { endpointId, status: 'deleted' };
}

/** Until it is enabled again, deliveries are kept as `skipped`. */
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

/** If it missed webhooks, a replay starts at `missedSince`. */
export async function enableEndpoint({ database }: EndpointDatabase, { practiceId, endpointId }: EndpointKey) {
  const before = await enableWebhookEndpoint(database, { practiceId, endpointId });
  if (!before) throw endpointNotFound();
  return { endpointId, status: 'enabled', missedSince: replayStart(before) };
}

/** The old secret signs too for `keepOldHours`. */
export async function rotateSecret(
  { database, randomBytes }: EndpointDatabase & Pick<EndpointTools, 'randomBytes'>,
  { practiceId, endpointId, ...given }: Unchecked<typeof secretRotation> & EndpointKey,
  now: number,
) {
  const { keepOldHours } = parseInput(secretRotation, given);
  const previousSecretExpiresAt = toIso(now + keepOldHours * hour);
  const signingSecret = generateSigningSecret(randomBytes);
  const change = { signingSecret, previousSecretExpiresAt };
  if (!(await rotateSigningSecret(database, practiceId, endpointId, change))) throw endpointNotFound();
  return { signingSecret, previousSecretExpiresAt };
}

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

/** Throws a Problem if webhooks may not go to this URL. */
export function requireAllowedUrl(
  { allowLoopbackWebhooks }: Pick<EndpointTools, 'allowLoopbackWebhooks'>,
  url: string,
): void {
  const problem = targetProblem(url, allowLoopbackWebhooks);
  if (problem !== undefined) throw new Problem('webhook_url_not_allowed', problem);
}
