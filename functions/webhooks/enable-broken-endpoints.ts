import type { Audited } from '../domain/team/audit-entry.ts';
import { toIso } from '../domain/time.ts';
import { replayStart, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { WritingTools } from '../store/database.ts';
import { readPlatformIds } from '../store/practices/platforms.ts';
import { readPracticeIds } from '../store/practices/practices.ts';
import {
  enableWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
} from '../store/webhooks/webhook-endpoints.ts';
import { endpointEntry, requirePast } from './requirements.ts';

interface Outage extends Audited {
  readonly disabledSince: number;
}

interface Enabled extends Pick<WebhookEndpoint, 'practiceId' | 'endpointId'> {
  /** Where a replay starts. */
  readonly missedSince: string | undefined;
}

/**
 * For use after our own outage: enables the endpoints of all practices and platforms that were disabled as failing since then.
 * Yields each once it is enabled. If a write fails, it yields that endpoint before it throws: it may be enabled.
 */
export async function* enableBrokenEndpoints(
  tools: WritingTools,
  outage: Outage,
  now: number,
): AsyncGenerator<Enabled> {
  requirePast(outage.disabledSince, now);
  const { database } = tools;
  for (const practiceId of [...(await readPracticeIds(database)), ...(await readPlatformIds(database))]) {
    for (const found of await listWebhookEndpoints(database, practiceId)) {
      let enabled: Enabled | undefined;
      try {
        enabled = await enableIfBroken(tools, outage, found, now);
      } catch (error) {
        // It may be enabled: perhaps only the response was lost.
        const { endpointId } = found;
        yield { practiceId, endpointId, missedSince: replayStart(found) };
        throw error;
      }
      if (enabled) yield enabled;
    }
  }
}

async function enableIfBroken(
  tools: WritingTools,
  outage: Outage,
  found: WebhookEndpoint,
  now: number,
): Promise<Enabled | undefined> {
  if (!wasBroken(found, outage.disabledSince)) return undefined;
  const { practiceId, endpointId } = found;
  const key = { practiceId, endpointId, author: outage.author };
  const missedSince = replayStart(found);
  const entry = endpointEntry(tools, key, 'webhook_endpoint.enabled', now, { missedSince });
  if (await enableWebhookEndpoint(tools.database, found, entry)) return { practiceId, endpointId, missedSince };
  const changed = await getWebhookEndpoint(tools.database, practiceId, endpointId);
  return changed && enableIfBroken(tools, outage, changed, now);
}

/** Leaves out endpoints that a person disabled or that answered 410. */
function wasBroken({ status, disabledReason, disabledAt = '' }: WebhookEndpoint, since: number): boolean {
  return status === 'disabled' && disabledReason === 'failing' && disabledAt >= toIso(since);
}
