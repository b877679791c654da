import { setTimeout as wait } from 'node:timers/promises';
import { toIso } from '../../functions/domain/time.ts';
import { getDeliveryDetail } from '../../functions/webhooks/list-deliveries.ts';
import { testEndpoint } from '../../functions/webhooks/test-endpoint.ts';
import { author, command } from './command.ts';
import { answerText } from './delivery-text.ts';
import { printable } from './layout.ts';
import { ofEndpoint, wholeNumber } from './option.ts';
import { suggested, type OperatedStack } from './stack.ts';

/** In seconds. An attempt takes at most 15. */
const defaultTimeout = 30;
const interval = 200;

export const testWebhook = command({
  group: 'Webhooks',
  summary: 'Send a test event to an endpoint, and wait for the answer. Fails unless it is 2xx.',
  options: {
    ...ofEndpoint,
    timeout: wholeNumber(`how many seconds to wait, 0 to 120; ${defaultTimeout} by default`, '60', [0, 120]),
  },
  run: async (stack, { practice, endpoint, timeout = defaultTimeout }, now) => {
    const sent = await testEndpoint(stack, { practiceId: practice, endpointId: endpoint, author }, now);
    const ids = { ...sent, practiceId: practice };
    const { attempt, deferredUntil } = await firstOutcome(stack, ids, now, timeout * 1000);
    if (attempt) return { ...sent, ...attempt };
    const deliveries = suggested('deliveries', { practice, endpoint }, stack.target);
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
