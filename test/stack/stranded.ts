import { randomBytes } from 'node:crypto';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import { due } from '../../functions/domain/due.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { second, toIso } from '../../functions/domain/time.ts';
import { getDelivery, type DeliveryKey } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { aSession } from '../support/examples.ts';
import type { TestPractice } from '../support/local-stack.ts';
import type { TestDatabase } from '../support/tables.ts';
import { patience } from '../support/until.ts';

export const newSessionId = () => `ses_${ulid(Date.now(), randomBytes)}`;

/** Puts a session without anything that should follow its creation. */
export async function putSession(
  { practice }: Pick<TestPractice, 'practice'>,
  { documents, tables }: TestDatabase,
  differences: Partial<Session>,
): Promise<Session> {
  const session = aSession({
    sessionId: newSessionId(),
    practiceId: practice.practiceId,
    createdAt: toIso(Date.now()),
    ...differences,
  });
  await documents.send(new PutCommand({ TableName: tables.sessions, Item: session }));
  return session;
}

/** No sweep has seen it yet. */
export async function endNow({ documents, tables }: TestDatabase, sessionId: string): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tables.sessions,
      Key: { sessionId },
      UpdateExpression: 'SET expiresAt = :ended',
      ExpressionAttributeValues: { ':ended': toIso(Date.now() - second) },
    }),
  );
}

/** The patient authorized the payment, but nobody submitted the debit. */
export function putAuthorizedSession(
  service: Pick<TestPractice, 'practice'>,
  database: TestDatabase,
  dueAt: number,
): Promise<Session> {
  const sessionId = newSessionId();
  const at = toIso(Date.now());
  return putSession(service, database, {
    sessionId,
    status: 'processing',
    sequence: 1,
    processingAt: at,
    processorAccount: 'user_good',
    ...due('debit', sessionId, dueAt),
  });
}

export async function deliveredEvent(
  { practice, createSession, client }: TestPractice,
  database: TestDatabase,
): Promise<{ sessionId: string; eventId: string; key: DeliveryKey }> {
  const { sessionId } = await createSession();
  await client.sessions.cancel(sessionId);
  const eventId = sessionEventId(sessionId, 1);
  const key = { eventId, endpointId: practice.endpointId };
  await vi.waitFor(async () => {
    expect(await getDelivery(database, key)).toMatchObject({ status: 'delivered' });
    expect(await getEvent(database, eventId)).not.toHaveProperty('dueShard');
  }, patience);
  return { sessionId, eventId, key };
}

export async function makeDeliveryDue(
  { documents, tables }: TestDatabase,
  key: DeliveryKey,
  at: number,
): Promise<void> {
  const { dueShard, dueAt } = due('delivery', `${key.eventId}#${key.endpointId}`, at);
  const now = toIso(Date.now());
  await documents.send(
    new UpdateCommand({
      TableName: tables.deliveries,
      Key: key,
      UpdateExpression: 'SET #status = :pending, nextAttemptAt = :now, dueShard = :dueShard, dueAt = :dueAt',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':pending': 'pending', ':now': now, ':dueShard': dueShard, ':dueAt': dueAt },
    }),
  );
}

export async function makeEventDue({ documents, tables }: TestDatabase, eventId: string, at: number): Promise<void> {
  const { dueShard, dueAt } = due('dispatch', eventId, at);
  await documents.send(
    new UpdateCommand({
      TableName: tables.events,
      Key: { eventId },
      UpdateExpression: 'SET dueShard = :dueShard, dueAt = :dueAt',
      ExpressionAttributeValues: { ':dueShard': dueShard, ':dueAt': dueAt },
    }),
  );
}
