import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { since } from '../../functions/contract/text.ts';
import { deliveryStatuses } from '../../functions/domain/webhooks/delivery.ts';
import { eventType } from '../../functions/domain/webhooks/event.ts';
import { requireOwner } from '../../functions/practices/requirements.ts';
import { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { replayDeliveries, resendEvent, testEndpoint } from '../../functions/webhooks/resend.ts';
import { command, described, event, ofEndpoint, ofOwner, oneOf, optional, session, wholeNumber } from './command.ts';
import { answerText, table, printable } from './layout.ts';
import { toIso } from '../../functions/domain/time.ts';
import { getDeliveryDetail } from '../../functions/webhooks/list-deliveries.ts';
import { suggested, type OperatedStack } from './stack.ts';

const group = 'Webhooks';
/** In characters. `--json` prints the whole excerpt. */
const shownExcerpt = 60;
const date = { placeholder: 'DATE', example: '2026-11-20' };

/** In seconds. An attempt takes at most 15. */
const defaultTimeout = 30;
const interval = 200;

const testWebhook = command({
  group,
  summary: 'Send a test event to an endpoint, and wait for the answer. Fails unless it is 2xx.',
  options: {
    ...ofEndpoint,
    timeout: wholeNumber(`how many seconds to wait, 0 to 120; ${defaultTimeout} by default`, '60', [0, 120]),
  },
  run: async (stack, { timeout = defaultTimeout, ...ofTest }, now) => {
    const { practiceId, endpointId } = ofTest;
    const sent = await testEndpoint(stack, ofTest, now);
    const { attempt, deferredUntil } = await firstOutcome(stack, { ...sent, practiceId }, now, timeout * 1000);
    if (attempt) return { ...sent, ...attempt };
    const deliveries = suggested('deliveries', { practiceId, endpointId }, stack.target);
    return { ...sent, deferredUntil, deliveries };
  },
  show: (result) => {
    if ('deliveries' in result) {
      const { deferredUntil, deliveries } = result;
      const state =
        deferredUntil === undefined
          ? 'Sent, and not answered yet.'
          : `Not sent yet: the endpoint is busy, or paused because it did not answer. We try again at ${deferredUntil}.`;
      return `${state} See: ${deliveries}`;
    }
    const { status, responseExcerpt, nextAttemptAt } = result;
    return [
      `${status === 'delivered' ? 'Delivered' : 'Not delivered'}: ${answerText(result)}.`,
      ...(status !== 'delivered' && responseExcerpt ? [`Response: ${printable(responseExcerpt)}`] : []),
      ...(nextAttemptAt === undefined ? [] : [`Next attempt: ${nextAttemptAt}`]),
    ].join('\n');
  },
  failed: ({ status }) => status !== 'delivered',
});

interface Sent {
  readonly practiceId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

/** The first attempt, or until when it is deferred if that is after the timeout. Times are in milliseconds. */
async function firstOutcome(stack: OperatedStack, sent: Sent, now: number, timeout: number) {
  for (const started = performance.now(); performance.now() - started < timeout; await wait(interval)) {
    const { delivery, attempts } = await getDeliveryDetail(stack, sent);
    const { status, nextAttemptAt } = delivery;
    const [first] = attempts;
    if (first) {
      const { statusCode, error, redirectsTo, durationMilliseconds, responseExcerpt } = first;
      const answer = { statusCode, error, redirectsTo, durationMilliseconds, responseExcerpt };
      return { attempt: { status, ...answer, nextAttemptAt } };
    }
    if (nextAttemptAt !== undefined && nextAttemptAt > toIso(now + timeout)) return { deferredUntil: nextAttemptAt };
  }
  return {};
}

export const deliveryCommands = {
  'test-webhook': testWebhook,
  deliveries: command({
    group,
    summary: 'List deliveries, newest first, with their attempts.',
    options: {
      ...ofOwner,
      endpointId: optional(ofEndpoint.endpointId, 'only to this endpoint'),
      status: oneOf('STATUS', `only with this status: ${deliveryStatuses.join(', ')}`, deliveryStatuses),
      type: oneOf('TYPE', 'only events of this type', eventType.options),
      sessionId: optional(session, 'only events of this session'),
      since: described(z.optional(since), { ...date, summary: 'the earliest; 14 days back by default' }),
      limit: wholeNumber('how many, 1 to 1000; 100 by default', '10', [1, 1000]),
    },
    run: async (stack, input, now) => {
      await requireOwner(stack.database, input.practiceId);
      return getDeliveryLog(stack, input, now);
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
    options: { ...ofEndpoint, eventId: event },
    run: resendEvent,
  }),
  replay: command({
    group,
    summary: 'Send failed and skipped deliveries again. Safe to repeat.',
    options: {
      ...ofEndpoint,
      since: described(since.clone(), { ...date, summary: 'the earliest, at most 14 days back' }),
    },
    run: replayDeliveries,
  }),
};
