import * as z from 'zod/mini';
import { since } from '../../functions/contract/practices.ts';
import { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { replayDeliveries } from '../../functions/webhooks/replay.ts';
import { resendEvent } from '../../functions/webhooks/resend.ts';
import { testEndpoint } from '../../functions/webhooks/test-endpoint.ts';
import { author, command, id, ofEndpoint } from './command.ts';

export const deliveryCommands = {
  'test-webhook': command(ofEndpoint, (stack, { practice: practiceId, endpoint: endpointId }, now) =>
    testEndpoint(stack, { practiceId, endpointId, author }, now),
  ),
  deliveries: command(
    { ...ofEndpoint, since: z.optional(since) },
    (stack, { practice: practiceId, endpoint: endpointId, since: start }, now) =>
      getDeliveryLog(stack, { practiceId, endpointId, since: start }, now),
  ),
  resend: command(
    { ...ofEndpoint, event: id },
    (stack, { practice: practiceId, endpoint: endpointId, event: eventId }, now) =>
      resendEvent(stack, { practiceId, endpointId, author, eventId }, now),
  ),
  replay: command(
    { ...ofEndpoint, since },
    (stack, { practice: practiceId, endpoint: endpointId, since: start }, now) =>
      replayDeliveries(stack, { practiceId, endpointId, author, since: start }, now),
  ),
};
