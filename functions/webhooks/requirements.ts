import { Problem } from '../contract/problem.ts';
import { isEndpointId, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../store/database.ts';
import { getWebhookEndpoint, type EndpointKey } from '../store/webhooks/webhook-endpoints.ts';

/** Throws a Problem if the practice has no such endpoint. */
export async function requireEndpoint(
  database: Database<'webhookEndpoints'>,
  { practiceId, endpointId }: EndpointKey,
): Promise<WebhookEndpoint> {
  requireEndpointId(endpointId);
  const found = await getWebhookEndpoint(database, practiceId, endpointId);
  if (!found) throw endpointNotFound();
  return found;
}

export function requireEndpointId(endpointId: string): void {
  if (!isEndpointId(endpointId)) throw endpointNotFound();
}

export async function requireEnabled(database: Database<'webhookEndpoints'>, key: EndpointKey): Promise<void> {
  const { status } = await requireEndpoint(database, key);
  if (status === 'disabled')
    throw new Problem('webhook_endpoint_disabled', 'Nothing is sent to a disabled endpoint. Enable it first.');
}

export function requirePast(since: number, now: number): void {
  if (since > now) throw new Problem('since_in_future', 'This date is in the future. Choose one in the past.');
}

export function endpointNotFound(): Problem {
  return new Problem('webhook_endpoint_not_found', 'This practice has no webhook endpoint with this id. Check the id.');
}
