import { endpointUpdate } from '../contract/webhooks/webhook-endpoints.ts';
import { parseInput, type Unchecked } from '../practices/parse-input.ts';
import { disableEndpoint, enableEndpoint, updateEndpoint } from './webhook-endpoints.ts';
import type { EndpointOfAuthor } from './requirements.ts';

/** Writes the settings first, then the status. If the second write fails, repeating the request completes it. */
export async function changeEndpoint(
  tools: Parameters<typeof updateEndpoint>[0],
  { practiceId, endpointId, author, ...given }: Unchecked<typeof endpointUpdate> & EndpointOfAuthor,
  now: number,
) {
  const { status, eventTypes, ...others } = parseInput(endpointUpdate, given);
  const settings = { ...others, eventTypes: eventTypes === null ? ['all'] : eventTypes };
  const key = { practiceId, endpointId, author };
  if (status === undefined) return updateEndpoint(tools, { ...settings, ...key }, now);
  if (Object.values(settings).some((value) => value !== undefined))
    await updateEndpoint(tools, { ...settings, ...key }, now);
  return status === 'enabled' ? enableEndpoint(tools, key, now) : disableEndpoint(tools, key, now);
}
