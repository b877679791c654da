import * as z from 'zod/mini';
import { endpointUrl, eventTypes, keepOldHours, retryPolicy } from '../../functions/contract/practices.ts';
import { sessionEventTypes } from '../../functions/domain/transitions.ts';
import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../../functions/practices/webhook-endpoints.ts';
import { command, listOf, ofEndpoint, ofPractice, wholeNumber } from './command.ts';
import { OperatorError } from './stack.ts';

export const endpointCommands = {
  'add-webhook': command(
    { ...ofPractice, url: endpointUrl, events: z.optional(listOf(eventTypes)), retry: z.optional(retryPolicy) },
    (stack, { practice: practiceId, url, events, retry }, now) =>
      addEndpoint(stack, { practiceId, url, eventTypes: events, retryPolicy: retry }, now),
  ),
  'update-webhook': command(
    {
      ...ofEndpoint,
      url: z.optional(endpointUrl),
      events: z.optional(listOf(z.array(z.enum([...sessionEventTypes, 'all'])))),
      retry: z.optional(retryPolicy),
    },
    async (stack, { practice: practiceId, endpoint: endpointId, url, events, retry }) => {
      if (url === undefined && events === undefined && retry === undefined)
        throw new OperatorError('Say what to change: --url, --events or --retry.');
      const types = events?.flatMap((type) => (type === 'all' ? [] : type));
      const change = {
        url,
        eventTypes: events?.includes('all') ? ('all' as const) : types,
        retryPolicy: retry,
      };
      return withReplay(practiceId, await updateEndpoint(stack, { practiceId, endpointId, ...change }));
    },
  ),
  'delete-webhook': command(ofEndpoint, (stack, { practice: practiceId, endpoint: endpointId }) =>
    deleteEndpoint(stack, { practiceId, endpointId }),
  ),
  'list-webhooks': command(ofPractice, (stack, { practice: practiceId }) => listEndpoints(stack, { practiceId })),
  'enable-webhook': command(ofEndpoint, async (stack, { practice: practiceId, endpoint: endpointId }) =>
    withReplay(practiceId, await enableEndpoint(stack, { practiceId, endpointId })),
  ),
  'disable-webhook': command(ofEndpoint, (stack, { practice: practiceId, endpoint: endpointId }, now) =>
    disableEndpoint(stack, { practiceId, endpointId }, now),
  ),
  'rotate-secret': command(
    { ...ofEndpoint, 'keep-old-hours': z.optional(wholeNumber(keepOldHours)) },
    (stack, { practice: practiceId, endpoint: endpointId, 'keep-old-hours': hours }, now) =>
      rotateSecret(stack, { practiceId, endpointId, keepOldHours: hours }, now),
  ),
};

/** Adds the command that replays what an endpoint has missed. */
function withReplay(practiceId: string, answer: { endpointId: string; missedSince: string | undefined }) {
  const { endpointId, missedSince } = answer;
  if (missedSince === undefined) return answer;
  return {
    ...answer,
    replay: `npm run -s practice -- replay --practice ${practiceId} --endpoint ${endpointId} --since ${missedSince}`,
  };
}
