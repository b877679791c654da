import { endpointNotFound, Problem } from '../contract/problems.ts';
import type { Database } from '../store/database.ts';
import { getWebhookEndpoint, type EndpointKey } from '../store/webhook-endpoints.ts';

export async function requireEndpoint(
  database: Database<'webhookEndpoints'>,
  { practiceId, endpointId }: EndpointKey,
): Promise<void> {
  if (!(await getWebhookEndpoint(database, practiceId, endpointId))) throw endpointNotFound();
}

export async function requireEnabled(
  database: Database<'webhookEndpoints'>,
  { practiceId, endpointId }: EndpointKey,
): Promise<void> {
  const found = await getWebhookEndpoint(database, practiceId, endpointId);
  if (!found) throw endpointNotFound();
  if (found.status === 'disabled')
    throw new Problem('webhook_endpoint_disabled', 'Nothing is sent to a disabled endpoint. Enable it first.');
}

export function requirePast(since: number, now: number): void {
  if (since > now) throw new Problem('since_in_future', 'This date is in the future. Choose one in the past.');
}
