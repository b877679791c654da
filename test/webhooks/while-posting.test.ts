import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { deliveryTicket } from '../../functions/contract/tickets.ts';
import type { DeliveryTools } from '../../functions/webhooks/deliver.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { listAttempts, reopenDelivery } from '../../functions/store/delivery-log.ts';
import { changeWebhookEndpoint, getWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import { startTestTables } from '../support/test-tables.ts';
import { anEndpoint } from './an-endpoint.ts';

const tables = await startTestTables();

/** A post during which something else happens before it is answered. */
const meanwhile = (happen: () => Promise<unknown>, answer: Partial<PostResult>): Pick<DeliveryTools, 'post'> => ({
  post: async () => {
    await happen();
    return { responseTruncated: false, ...answer };
  },
});

const remove = (practiceId: string, endpointId: string) =>
  tables.database.client.send(
    new DeleteCommand({ TableName: tables.database.tables.webhookEndpoints, Key: { practiceId, endpointId } }),
  );

describe('an endpoint that is deleted while it is being posted to', () => {
  // https://github.com/svix/svix-webhooks/issues/1511 and https://github.com/hookdeck/outpost/issues/59: a deleted one filled the dead letters.
  it.each<[string, Partial<PostResult>, object]>([
    ['a success', { statusCode: 204 }, { status: 'delivered' }],
    ['an error', { statusCode: 500 }, { status: 'pending', attempts: 1 }],
    ['410', { statusCode: 410 }, { status: 'failed' }],
    ['a time-out', { error: 'timeout' }, { status: 'pending', attempts: 1 }],
  ])(
    'stays deleted after %s: nothing is thrown, nothing of it is written again, and its next ticket ends',
    async (_, answer, ended) => {
      const { practiceId, endpointId, state, event, attempt, row } = await anEndpoint(tables);
      const key = await event();
      await attempt(
        key,
        1,
        meanwhile(() => remove(practiceId, endpointId), answer),
      );
      expect(await getWebhookEndpoint(tables.database, practiceId, endpointId)).toBeUndefined();
      expect(await row(key)).toMatchObject(ended);
      expect(await listAttempts(tables.database, key)).toMatchObject([{ attemptNumber: 1, ...answer }]);

      const [next] = state.tickets;
      if (next === undefined) return;
      await attempt(key, deliveryTicket.parse(next.body).attemptNumber);
      expect(state.posts).toEqual([]);
      expect(await row(key)).toMatchObject({ status: 'skipped', attempts: 1 });
      expect(await row(key)).not.toHaveProperty('dueAt');
    },
  );
});

describe('while a webhook is being posted', () => {
  it('its endpoint may move: what the old server then answers does not turn the new one off', async () => {
    const { practiceId, endpointId, event, attempt, endpoint } = await anEndpoint(tables);
    await attempt(
      await event(),
      1,
      meanwhile(
        () => changeWebhookEndpoint(tables.database, { practiceId, endpointId }, { url: 'https://moved.example.com/' }),
        { statusCode: 410 },
      ),
    );
    expect(await endpoint()).toMatchObject({ status: 'enabled', url: 'https://moved.example.com/' });
  });

  // https://github.com/hookdeck/outpost/issues/662: a manual retry and the one that was under way were both made.
  it('it cannot be sent anew, however old the copy of its row is that is asked for', async () => {
    const { state, event, attempt, row } = await anEndpoint(tables);
    const key = await event();
    const before = await row(key);
    let resent: boolean | undefined;
    await attempt(
      key,
      1,
      meanwhile(async () => (resent = await reopenDelivery(tables.database, before, state.now)), { statusCode: 500 }),
    );
    expect(resent).toBe(false);
    expect(await reopenDelivery(tables.database, before, state.now), 'nor after it, by that copy').toBe(false);
    expect(await row(key)).toMatchObject({ status: 'pending', attempts: 1, attemptsBefore: 0 });
  });

  // https://github.com/frain-dev/convoy/issues/2747: two workers sent one delivery. The second comes when the first has held it for longer than it may.
  it('it may be taken over from a worker that is too slow; what that one has to say then changes nothing', async () => {
    const { state, event, attempt, row, endpoint } = await anEndpoint(tables);
    const key = await event();
    await attempt(
      key,
      1,
      meanwhile(
        async () => {
          state.now += 61_000;
          state.answer = { statusCode: 204 };
          await attempt(key, 1);
          expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
        },
        { statusCode: 410 },
      ),
    );
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await listAttempts(tables.database, key)).toMatchObject([{ attemptNumber: 1, statusCode: 204 }]);
    expect(await endpoint()).toMatchObject({ status: 'enabled' });
    expect(await endpoint(), 'its slot is free').not.toHaveProperty('inFlight');
  });
});
