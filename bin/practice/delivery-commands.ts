import * as z from 'zod/mini';
import { since } from '../../functions/contract/practices.ts';
import { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { replayDeliveries } from '../../functions/webhooks/replay.ts';
import { resendEvent } from '../../functions/webhooks/resend.ts';
import { testEndpoint } from '../../functions/webhooks/test-endpoint.ts';
import { author, command } from './command.ts';
import { described, event, ofEndpoint } from './option.ts';

const group = 'Webhooks';
const date = { placeholder: 'DATE', example: '2026-11-20' };

export const deliveryCommands = {
  'test-webhook': command({
    group,
    summary: 'Send a test event to an endpoint.',
    options: ofEndpoint,
    run: (stack, { practice: practiceId, endpoint: endpointId }, now) =>
      testEndpoint(stack, { practiceId, endpointId, author }, now),
  }),
  deliveries: command({
    group,
    summary: 'List deliveries with their attempts.',
    options: {
      ...ofEndpoint,
      since: described(z.optional(since), {
        ...date,
        summary: 'the earliest; 14 days back by default',
        isRequired: false,
      }),
    },
    run: (stack, { practice: practiceId, endpoint: endpointId, since: start }, now) =>
      getDeliveryLog(stack, { practiceId, endpointId, since: start }, now),
  }),
  resend: command({
    group,
    summary: 'Send an event again, under the same ID.',
    options: { ...ofEndpoint, event },
    run: (stack, { practice: practiceId, endpoint: endpointId, event: eventId }, now) =>
      resendEvent(stack, { practiceId, endpointId, author, eventId }, now),
  }),
  replay: command({
    group,
    summary: 'Send again what failed or was skipped. Safe to repeat.',
    options: {
      ...ofEndpoint,
      since: described(z.clone(since), { ...date, summary: 'the earliest, at most 14 days back', isRequired: true }),
    },
    run: (stack, { practice: practiceId, endpoint: endpointId, since: start }, now) =>
      replayDeliveries(stack, { practiceId, endpointId, author, since: start }, now),
  }),
};
