import { randomBytes } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { due } from '../../functions/domain/due.ts';
import { hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { getSandboxDebit } from '../../functions/store/payments/sandbox-debits.ts';
import { getSession } from '../../functions/store/sessions/sessions.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import {
  deliveredEvent,
  makeDeliveryDue,
  makeEventDue,
  newSessionId,
  putAuthorizedSession,
  putSession,
} from './stranded.ts';

let service: TestPractice;
let database: TestDatabase;
onStack.beforeAll(({ own }) => {
  service = own;
  database = databaseOf(service.stack);
});

const overdue = () => Date.now() - second;

async function putExpiredSession() {
  const [sessionId, expiresAt] = [newSessionId(), overdue()];
  return putSession(service, database, {
    sessionId,
    expiresAt: toIso(expiresAt),
    ...due('expiry', sessionId, expiresAt),
  });
}

const timesReceived = (eventId: string) => service.receiver.received.filter(({ event }) => event.id === eventId).length;

describe.concurrent('the sweep', () => {
  it('cancels an expired session as of the time it expired', async ({ expect }) => {
    const { sessionId, expiresAt } = await putExpiredSession();
    await service.stack.fireSchedules();
    const { event } = await service.receiver.waitFor('session.payment.cancelled', sessionId);
    expect(event).toMatchObject({
      created_at: expiresAt,
      data: { cancelledAt: expiresAt, cancellation: { reason: 'expired' }, sequence: 1 },
    });
  });

  it('submits a debit whose ticket was lost', async ({ expect }) => {
    const { sessionId } = await putAuthorizedSession(service, database, overdue());
    await service.stack.fireSchedules();
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    expect(await getSession(database, sessionId)).not.toHaveProperty('dueAt');
  });

  it('asks the sandbox bank for an outcome whose ticket was lost', async ({ expect }) => {
    const { sessionId } = await service.pay('user_stuck');
    const debit = () => getSandboxDebit(database, sessionId);
    await expect.poll(debit).toHaveProperty('debit');
    const { dueShard, dueAt } = due('outcome', sessionId, overdue());
    await database.documents.send(
      new UpdateCommand({
        TableName: database.tables.sandboxDebits,
        Key: { sessionId },
        UpdateExpression: 'SET debit.username = :user, dueShard = :dueShard, dueAt = :dueAt',
        ExpressionAttributeValues: { ':user': 'user_good', ':dueShard': dueShard, ':dueAt': dueAt },
      }),
    );
    await service.stack.fireSchedules();
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    expect(await debit()).toHaveProperty('reportedAt');
  });

  it('sends a webhook whose ticket was lost', async ({ expect }) => {
    const { key } = await deliveredEvent(service, database);
    await makeDeliveryDue(database, key, overdue());
    await service.stack.fireSchedules();
    await expect.poll(() => getDelivery(database, key)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(timesReceived(key.eventId)).toBe(2);
  });

  it('publishes an event that was never dispatched', async ({ expect }) => {
    const { eventId, key } = await deliveredEvent(service, database);
    await database.documents.send(new DeleteCommand({ TableName: database.tables.deliveries, Key: key }));
    await makeEventDue(database, eventId, overdue());
    await service.stack.fireSchedules();
    await expect.poll(() => timesReceived(eventId)).toBe(2);
  });

  it('reschedules a row that it cannot read and processes the others', async ({ expect }) => {
    const poison = newSessionId();
    await database.documents.send(
      new PutCommand({
        TableName: database.tables.sessions,
        Item: { sessionId: poison, ...due('expiry', poison, overdue() - second) },
      }),
    );
    const { sessionId } = await putExpiredSession();
    await service.stack.fireSchedules();
    await service.receiver.waitFor('session.payment.cancelled', sessionId);
    const { Item } = await database.documents.send(
      new GetCommand({ TableName: database.tables.sessions, Key: { sessionId: poison } }),
    );
    expect(Date.parse(String(Item?.['dueAt']))).toBeGreaterThan(Date.now() + minute);
  });
});

describe('the publisher', () => {
  const parked = async (...eventIds: string[]) => {
    const { deadLetterQueues, deadLetterMessages } = service.operated;
    const { queueUrl = '' } = deadLetterQueues.find(({ name }) => name === 'UnreadableEvents') ?? {};
    const letters = (await deadLetterMessages.receive(queueUrl)).map(
      ({ body }) => JSON.parse(body) as { eventId: string },
    );
    return letters.filter(({ eventId }) => eventIds.includes(eventId));
  };

  it('publishes an event only when its row is created, and parks a row that is not an event', async () => {
    const { eventId, key } = await deliveredEvent(service, database);
    const { eventId: removed } = await deliveredEvent(service, database);
    await database.documents.send(new DeleteCommand({ TableName: database.tables.deliveries, Key: key }));
    await makeEventDue(database, eventId, Date.now() + hour);
    await database.documents.send(new DeleteCommand({ TableName: database.tables.events, Key: { eventId: removed } }));
    const unreadable = `evt_${randomBytes(8).toString('hex')}`;
    const Item = { eventId: unreadable, type: 'session.payment.unheard_of' };
    await database.documents.send(new PutCommand({ TableName: database.tables.events, Item }));
    // The stream is in order, so it already carried the changes above.
    await deliveredEvent(service, database);
    expect(await getDelivery(database, key)).toBeUndefined();
    expect(await getEvent(database, eventId)).toHaveProperty('dueShard');
    expect(await parked(eventId, removed, unreadable)).toEqual([
      { sequenceNumber: expect.any(String) as string, eventId: unreadable },
    ]);
  });
});
