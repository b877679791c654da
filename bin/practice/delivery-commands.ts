import * as z from 'zod';
import { since } from '../../functions/contract/text.ts';
import { deliveryStatuses } from '../../functions/domain/webhooks/delivery.ts';
import { eventType } from '../../functions/domain/webhooks/event-row.ts';
import { requirePractice } from '../../functions/practices/require-practice.ts';
import { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { replayDeliveries } from '../../functions/webhooks/replay.ts';
import { resendEvent } from '../../functions/webhooks/resend.ts';
import { author, command } from './command.ts';
import { answerText } from './delivery-text.ts';
import { table } from './layout.ts';
import { described, event, ofEndpoint, ofPractice, oneOf, optional, session, wholeNumber } from './option.ts';
import { testWebhook } from './test-webhook-command.ts';

const group = 'Webhooks';
/** In characters. `--json` prints the whole excerpt. */
const shownExcerpt = 60;
const date = { placeholder: 'DATE', example: '2026-11-20' };

export const deliveryCommands = {
  'test-webhook': testWebhook,
  deliveries: command({
    group,
    summary: 'List deliveries, newest first, with their attempts.',
    options: {
      practice: ofPractice.practice,
      endpoint: optional(ofEndpoint.endpoint, 'only to this endpoint'),
      status: oneOf('STATUS', `only with this status: ${deliveryStatuses.join(', ')}`, deliveryStatuses),
      type: oneOf('TYPE', 'only events of this type', eventType.options),
      session: optional(session, 'only events of this session'),
      since: described(z.optional(since), { ...date, summary: 'the earliest; 14 days back by default' }),
      limit: wholeNumber('how many, 1 to 1000; 100 by default', '10', [1, 1000]),
    },
    run: async (
      stack,
      { practice: practiceId, endpoint: endpointId, session: sessionId, status, type, since: start, limit },
      now,
    ) => {
      await requirePractice(stack.database, practiceId);
      return getDeliveryLog(stack, { practiceId, endpointId, sessionId, status, type, since: start, limit }, now);
    },
    show: ({ deliveries, more }, page) => {
      const rows = deliveries.map(({ attempts, ...each }) => {
        const last = attempts.at(-1);
        const response = each.status === 'delivered' ? undefined : last?.responseExcerpt?.slice(0, shownExcerpt);
        return [
          each.createdAt,
          each.eventId,
          each.eventType,
          each.status,
          attempts.length,
          last && answerText(last),
          each.nextAttemptAt,
          response,
          each.endpointId,
        ];
      });
      const listed = table(
        page,
        ['Created', 'Event', 'Type', 'Status', 'Attempts', 'Last answer', 'Next attempt', 'Response', 'Endpoint'],
        rows,
      );
      return more ? `${listed}\n\nThere may be more: raise --limit or narrow the filters.` : listed;
    },
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
    summary: 'Send failed and skipped deliveries again. Safe to repeat.',
    options: {
      ...ofEndpoint,
      since: described(since.clone(), { ...date, summary: 'the earliest, at most 14 days back' }),
    },
    run: (stack, { practice: practiceId, endpoint: endpointId, since: start }, now) =>
      replayDeliveries(stack, { practiceId, endpointId, author, since: start }, now),
  }),
};
