import { createHmac } from 'node:crypto';
import type { Post, PostResult } from '../../functions/webhooks/post.ts';
import type { Row } from './tables.ts';
import type { World } from './world.ts';

interface Received {
  readonly eventId: string;
  readonly body: string;
  readonly accepted: boolean;
}

/** A practice's server behind one webhook endpoint. */
export interface Receiver {
  readonly practiceId: string;
  readonly endpointId: string;
  readonly secrets: Set<string>;
  readonly received: Received[];
}

const odd: readonly Omit<PostResult, 'responseTruncated'>[] = [
  { statusCode: 500 },
  { statusCode: 503, retryAfter: '30' },
  { statusCode: 429, retryAfter: '120' },
  { statusCode: 400 },
  { statusCode: 302, redirectsTo: 'https://elsewhere.example.com' },
  { statusCode: 410 },
  { error: 'connection_refused' },
  { error: 'unreadable_response' },
];

interface Servers {
  readonly receivers: readonly Receiver[];
  /** Whether they answer at random. */
  readonly areMoody: () => boolean;
  /** The rows of the endpoints, for a server that missed a rotation. */
  readonly readEndpoints: () => Promise<readonly Row[]>;
}

/** A server tells by the signature whether a webhook is for it. */
export function postTo(world: World, { receivers, areMoody, readEndpoints }: Servers) {
  async function receiverOf(post: Post): Promise<Receiver | undefined> {
    const found = receivers.find((each) => verifies(each, post));
    if (found) return found;
    for (const row of await readEndpoints())
      receivers.find(({ endpointId }) => endpointId === row['endpointId'])?.secrets.add(String(row['signingSecret']));
    return receivers.find((each) => verifies(each, post));
  }

  return async (post: Post): Promise<PostResult> => {
    const result = await world.call<Omit<PostResult, 'responseTruncated'>>(
      'post',
      async () => {
        const answer = areMoody() && world.chance(0.3) ? (world.pick(odd) ?? {}) : { statusCode: 204 };
        const { statusCode = 0 } = answer;
        const eventId = post.headers['webhook-id'] ?? '';
        const receiver = await receiverOf(post);
        if (!receiver) world.violations.add(`the webhook ${eventId} is signed for nobody`);
        receiver?.received.push({ eventId, body: post.body, accepted: statusCode >= 200 && statusCode < 300 });
        return answer;
      },
      { throttled: () => ({ statusCode: 429 }), silent: () => ({ error: 'timeout' as const }) },
    );
    return { responseTruncated: false, ...result };
  };
}

/** Follows the Standard Webhooks specification, without the product's code. */
function verifies({ secrets }: Receiver, { headers, body }: Post): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const given = (headers['webhook-signature'] ?? '').split(' ');
  return [...secrets].some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return given.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  });
}
