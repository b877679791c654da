import { randomBytes } from 'node:crypto';
import type { EndpointEventType } from '../../functions/contract/tickets.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { createDelivery, dueDeliveries, getDelivery, type DeliveryKey } from '../../functions/store/deliveries.ts';
import { takeDue } from '../../functions/store/due-index.ts';
import { insertSession } from '../../functions/store/sessions.ts';
import { writeExpiry } from '../../functions/store/transitions.ts';
import { createWebhookEndpoint, getWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import { deliver, type DeliveryTools } from '../../functions/webhooks/deliver.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { aSession } from '../support/examples.ts';
import type { Tables } from '../support/tables.ts';

/** An endpoint whose server answers as the test says, on a clock that the test sets, and a way to make events happen and their attempts be made. */
export async function anEndpoint({ database }: Tables) {
  const state = {
    now: Date.now(),
    answer: { statusCode: 200 } as Partial<PostResult> | Promise<Partial<PostResult>>,
    /** The ids of the webhooks posted. */
    posts: [] as string[],
    told: [] as EndpointEventType[],
    tickets: [] as Ticket[],
  };
  const practiceId = `prc_${ulid(state.now, randomBytes)}`;
  const endpointId = `whe_${ulid(state.now, randomBytes)}`;
  await createWebhookEndpoint(database, {
    practiceId,
    endpointId,
    url: 'https://hooks.example.com/',
    status: 'enabled',
    signingSecret: generateSigningSecret(randomBytes),
    createdAt: new Date(state.now).toISOString(),
  });
  const tools: DeliveryTools = {
    full: new Map(),
    database,
    clock: () => state.now,
    random: () => 0,
    sendDeliveries: async (sent) => void state.tickets.push(...sent),
    tellOwner: async (type) => void state.told.push(type),
    post: async ({ headers }) => {
      state.posts.push(headers['webhook-id'] ?? '');
      return { responseTruncated: false, ...(await state.answer) };
    },
  };
  const required = <Found>(found: Found | undefined): Found => {
    if (found === undefined) throw new Error('missing');
    return found;
  };
  const row = async (key: DeliveryKey) => required(await getDelivery(database, key));
  return {
    state,
    practiceId,
    endpointId,
    /** What an operator's use case takes. */
    tools: { database, mode: 'sandbox', randomBytes, sendDeliveries: tools.sendDeliveries } as const,
    endpoint: async () => required(await getWebhookEndpoint(database, practiceId, endpointId)),
    /** An event and its delivery to the endpoint. */
    async event(status: 'enabled' | 'disabled' = 'enabled'): Promise<DeliveryKey> {
      const session = aSession({
        sessionId: `ses_${ulid(state.now, randomBytes)}`,
        practiceId,
        expiresAt: new Date(state.now).toISOString(),
      });
      await insertSession(database, session, undefined, state.now);
      await writeExpiry(database, session);
      const eventId = sessionEventId(session.sessionId, 1);
      await createDelivery(
        database,
        { eventId, practiceId, type: 'session.payment.cancelled' },
        { endpointId, enabled: status === 'enabled' },
        state.now,
      );
      return { eventId, endpointId };
    },
    attempt: (key: DeliveryKey, attemptNumber: number, others: Partial<DeliveryTools> = {}) =>
      deliver({ ...tools, ...others }, { ...key, attemptNumber }),
    /** Makes so many attempts, each when its time has come. */
    async attempts(key: DeliveryKey, count: number) {
      for (let made = 0; made < count; made += 1) {
        const { attempts, nextAttemptAt = '' } = required(await getDelivery(database, key));
        state.now = Math.max(state.now, Date.parse(nextAttemptAt));
        await deliver(tools, { ...key, attemptNumber: attempts + 1 });
      }
    },
    /** Makes an attempt for each delivery that is due, as the sweep does. */
    async sweep() {
      const { keys } = await takeDue(database, dueDeliveries(database), state.now, 1000);
      for (const key of keys.filter((due) => due.endpointId === endpointId)) {
        const { status, attempts } = await row(key);
        if (status === 'pending') await deliver(tools, { ...key, attemptNumber: attempts + 1 });
      }
    },
    row,
  };
}
