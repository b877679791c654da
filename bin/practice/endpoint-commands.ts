import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  updateEndpoint,
} from '../../functions/practices/webhook-endpoints.ts';
import { rotateSecret } from '../../functions/practices/signing-secrets.ts';
import { author, command, list, ofEndpoint, ofPractice, text, wholeNumber } from './command.ts';
import type { OperatedStack } from './stack.ts';

export const endpointCommands = {
  'add-webhook': command(
    { ...ofPractice, url: text, events: list, retry: text },
    (stack, { practice: practiceId, url, events: eventTypes, retry: retryPolicy }, now) =>
      addEndpoint(stack, { practiceId, author, url, eventTypes, retryPolicy }, now),
  ),
  'update-webhook': command(
    { ...ofEndpoint, url: text, events: list, retry: text },
    async (stack, { practice: practiceId, endpoint: endpointId, url, events: eventTypes, retry: retryPolicy }, now) => {
      const change = { practiceId, endpointId, author, url, eventTypes, retryPolicy };
      const changed = await updateEndpoint(stack, change, now);
      return url !== undefined && changed.status === 'enabled' ? withReplay(stack, practiceId, changed) : changed;
    },
    { changesEndpoint: true },
  ),
  'delete-webhook': command(ofEndpoint, (stack, { practice: practiceId, endpoint: endpointId }, now) =>
    deleteEndpoint(stack, { practiceId, endpointId, author }, now),
  ),
  'list-webhooks': command(ofPractice, (stack, { practice: practiceId }) => listEndpoints(stack, { practiceId })),
  'enable-webhook': command(ofEndpoint, async (stack, { practice: practiceId, endpoint: endpointId }, now) =>
    withReplay(stack, practiceId, await enableEndpoint(stack, { practiceId, endpointId, author }, now)),
  ),
  'disable-webhook': command(ofEndpoint, (stack, { practice: practiceId, endpoint: endpointId }, now) =>
    disableEndpoint(stack, { practiceId, endpointId, author }, now),
  ),
  'rotate-secret': command(
    { ...ofEndpoint, 'keep-old-hours': wholeNumber },
    (stack, { practice: practiceId, endpoint: endpointId, 'keep-old-hours': keepOldHours }, now) =>
      rotateSecret(stack, { practiceId, endpointId, author, keepOldHours }, now),
    { changesEndpoint: true },
  ),
};

function withReplay(
  { target }: OperatedStack,
  practiceId: string,
  answer: { readonly endpointId: string; readonly missedSince: string | undefined },
) {
  const { endpointId, missedSince } = answer;
  if (missedSince === undefined) return answer;
  const options = `--practice ${practiceId} --endpoint ${endpointId} --since ${missedSince}${target}`;
  return { ...answer, replay: `npm run -s practice -- replay ${options}` };
}
