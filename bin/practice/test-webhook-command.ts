import { setTimeout as wait } from 'node:timers/promises';
import { toIso } from '../../functions/domain/time.ts';
import { listEndpoints } from '../../functions/practices/webhook-endpoints.ts';
import { getDeliveryDetail } from '../../functions/webhooks/delivery-detail.ts';
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
    const attempt = await firstAttempt(stack, { ...sent, practiceId: practice }, timeout * 1000);
    if (attempt) return { ...sent, ...attempt };
    const deliveries = suggested('deliveries', { practice, endpoint }, stack.target);
    const pausedUntil = await pauseOf(stack, practice, endpoint, now + timeout * 1000);
    return { ...sent, pausedUntil, deliveries };
  },
  show: (result) => {
    if ('deliveries' in result) {
      const { pausedUntil, deliveries } = result;
      const state =
        pausedUntil === undefined
          ? 'Sent, and not answered yet.'
          : `Not sent yet: after timeouts or network faults, we try this endpoint again at ${pausedUntil}.`;
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

/** A test does not end the pause of an endpoint that failed. */
async function pauseOf(stack: OperatedStack, practiceId: string, endpointId: string, now: number) {
  const { endpoints } = await listEndpoints(stack, { practiceId });
  const until = endpoints.find((endpoint) => endpoint.endpointId === endpointId)?.circuitOpenUntil;
  return until !== undefined && until > toIso(now) ? until : undefined;
}

async function firstAttempt(stack: OperatedStack, sent: Sent, timeout: number) {
  for (const started = performance.now(); performance.now() - started < timeout; await wait(interval)) {
    const { delivery, attempts } = await getDeliveryDetail(stack, sent);
    const [first] = attempts;
    if (first) {
      const { statusCode, error, durationMilliseconds, responseExcerpt } = first;
      const { status, nextAttemptAt } = delivery;
      return { status, statusCode, error, durationMilliseconds, responseExcerpt, nextAttemptAt };
    }
  }
  return undefined;
}
