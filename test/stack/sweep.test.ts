import { randomBytes } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../functions/contract/environment.ts';
import { due } from '../../functions/domain/due.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/session.ts';
import type { Database } from '../../functions/store/database.ts';
import { getDelivery } from '../../functions/store/deliveries.ts';
import { getSession } from '../../functions/store/sessions.ts';
import { aSession } from '../support/examples.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { databaseOf } from '../support/tables.ts';

let service: TestStack;
let database: Database<Table>;
beforeAll(async () => {
  service = await startTestStack();
  database = databaseOf(service.stack);
});
afterAll(() => service.stop());

const overdue = () => Date.now() - 1000;

/** Puts a session into the table as if everything that should have followed had been lost. */
async function stranded(differences: Partial<Session>): Promise<Session> {
  const now = Date.now();
  const session = aSession({
    sessionId: `ses_${ulid(now, randomBytes)}`,
    practiceId: service.practice.practiceId,
    createdAt: new Date(now).toISOString(),
    ...differences,
  });
  await database.client.send(new PutCommand({ TableName: database.tables.sessions, Item: session }));
  return session;
}

describe('the sweep', () => {
  it('cancels a session that expired, at the instant it did, and tells the practice', async () => {
    const expiresAt = new Date(overdue()).toISOString();
    const session = aSession({ sessionId: `ses_${ulid(Date.now(), randomBytes)}` });
    await stranded({
      ...session,
      practiceId: service.practice.practiceId,
      expiresAt,
      ...due('expiry', session.sessionId, Date.parse(expiresAt)),
    });
    await service.stack.fireSchedules();
    const { event } = await service.receiver.waitFor('session.payment.cancelled', session.sessionId);
    expect(event).toMatchObject({
      created_at: expiresAt,
      data: { cancelledAt: expiresAt, cancellation: { reason: 'expired' }, sequence: 1 },
    });
  });

  it('brings a debit to its end whose ticket was lost', async () => {
    const session = aSession({ sessionId: `ses_${ulid(Date.now(), randomBytes)}` });
    const at = new Date(overdue()).toISOString();
    await stranded({
      ...session,
      practiceId: service.practice.practiceId,
      status: 'processing',
      sequence: 1,
      processingAt: at,
      lastTransitionAt: at,
      processorAccount: 'user_good',
      ...due('debit', session.sessionId, overdue()),
    });
    await service.stack.fireSchedules();
    await service.receiver.waitFor('session.payment.succeeded', session.sessionId);
    expect(await getSession(database, session.sessionId)).not.toHaveProperty('dueAt');
  });

  it('sends a webhook whose ticket was lost', async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    const patient = service.patient(hostedUrl);
    await patient('POST', '/bank-connection', { username: 'user_stuck', password: service.practice.password });
    const { body } = await patient('GET', '');
    await patient('POST', '/payment', {
      authorizationAccepted: true,
      authorizationId: (body['authorization'] as { id: string }).id,
    });
    await service.receiver.waitFor('session.payment.processing', sessionId);

    const key = { eventId: sessionEventId(sessionId, 1), endpointId: service.practice.endpointId };
    await expect.poll(() => getDelivery(database, key)).toMatchObject({ status: 'delivered' });
    const { dueShard, dueAt } = due('delivery', `${key.eventId}#${key.endpointId}`, overdue());
    await database.client.send(
      new UpdateCommand({
        TableName: database.tables.deliveries,
        Key: key,
        UpdateExpression: 'SET #status = :pending, nextAttemptAt = :now, dueShard = :dueShard, dueAt = :dueAt',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ':now': new Date().toISOString(),
          ':dueShard': dueShard,
          ':dueAt': dueAt,
        },
      }),
    );
    await service.stack.fireSchedules();
    await expect
      .poll(() => getDelivery(database, key), { timeout: 5000 })
      .toMatchObject({ status: 'delivered', attempts: 2 });
    expect(service.receiver.received.filter(({ event }) => event.id === key.eventId)).toHaveLength(2);
  });

  it('leaves a row that it cannot read for later, and does the others', async () => {
    const poison = `ses_${ulid(Date.now(), randomBytes)}`;
    await database.client.send(
      new PutCommand({
        TableName: database.tables.sessions,
        Item: { sessionId: poison, ...due('expiry', poison, overdue() - 1000) },
      }),
    );
    const expiresAt = new Date(overdue()).toISOString();
    const sessionId = `ses_${ulid(Date.now(), randomBytes)}`;
    await stranded({ sessionId, expiresAt, ...due('expiry', sessionId, overdue()) });
    await service.stack.fireSchedules();
    await service.receiver.waitFor('session.payment.cancelled', sessionId);
    const { Item } = await database.client.send(
      new GetCommand({ TableName: database.tables.sessions, Key: { sessionId: poison } }),
    );
    expect(Date.parse(String(Item?.['dueAt']))).toBeGreaterThan(Date.now() + 60_000);
  });

  it('publishes an event again that was never dispatched', async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    const patient = service.patient(hostedUrl);
    const { body } = await patient('POST', '/bank-connection', {
      username: 'user_stuck',
      password: service.practice.password,
    });
    await patient('POST', '/payment', {
      authorizationAccepted: true,
      authorizationId: (body['authorization'] as { id: string }).id,
    });
    await service.receiver.waitFor('session.payment.processing', sessionId);

    // As if the dispatch had not happened: the delivery is gone and the event is due.
    const eventId = sessionEventId(sessionId, 1);
    await expect
      .poll(() => getDelivery(database, { eventId, endpointId: service.practice.endpointId }))
      .toMatchObject({ status: 'delivered' });
    await database.client.send(
      new DeleteCommand({
        TableName: database.tables.deliveries,
        Key: { eventId, endpointId: service.practice.endpointId },
      }),
    );
    const { dueShard, dueAt } = due('dispatch', eventId, overdue());
    await database.client.send(
      new UpdateCommand({
        TableName: database.tables.events,
        Key: { eventId },
        UpdateExpression: 'SET dueShard = :dueShard, dueAt = :dueAt',
        ExpressionAttributeValues: { ':dueShard': dueShard, ':dueAt': dueAt },
      }),
    );
    await service.stack.fireSchedules();
    await expect
      .poll(() => service.receiver.received.filter(({ event }) => event.id === eventId).length, { timeout: 5000 })
      .toBe(2);
  });
});
