import { randomBytes } from 'node:crypto';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redrive } from '../../bin/practice/redrive.ts';
import type { Database } from '../../functions/store/database.ts';
import type { Table } from '../../functions/contract/environment.ts';
import { due } from '../../functions/domain/due.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/session.ts';
import { getDelivery } from '../../functions/store/deliveries.ts';
import { getEvent } from '../../functions/store/events.ts';
import { insertSession, getSession } from '../../functions/store/sessions.ts';
import { writeExpiry } from '../../functions/store/transitions.ts';
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

const later = () => Date.now() + 3_600_000;
const newSessionId = () => `ses_${ulid(Date.now(), randomBytes)}`;

const queue = (name: string) => service.operated.deadLetters.find((each) => each.name === name)?.queueUrl ?? '';

async function fail(name: string, body: object | string): Promise<void> {
  await service.operated.sqs.send(
    new SendMessageCommand({
      QueueUrl: queue(name),
      MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

async function messagesIn(name: string): Promise<number> {
  const { Attributes } = await service.operated.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queue(name), AttributeNames: ['All'] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages) + Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
}

/** A session that a patient has authorized and whose debit nobody has submitted, due only in an hour. */
async function anAuthorizedSession(): Promise<Session> {
  const at = new Date().toISOString();
  const sessionId = newSessionId();
  const session: Session = {
    ...aSession({ sessionId, practiceId: service.practice.practiceId, status: 'processing', sequence: 1 }),
    processingAt: at,
    lastTransitionAt: at,
    processorAccount: 'user_good',
    ...due('debit', sessionId, later()),
  };
  await database.client.send(new PutCommand({ TableName: database.tables.sessions, Item: session }));
  return session;
}

/** An event that has been dispatched and delivered, made as if its dispatch had failed; due only in an hour. */
async function anUndispatchedEvent(): Promise<{ sessionId: string; eventId: string }> {
  const { sessionId, eventId, key } = await aDeliveredEvent();
  await database.client.send(new DeleteCommand({ TableName: database.tables.deliveries, Key: key }));
  await makeDue(eventId);
  service.receiver.received.length = 0;
  return { sessionId, eventId };
}

async function aDeliveredEvent() {
  const now = Date.now();
  const session = aSession({
    sessionId: newSessionId(),
    practiceId: service.practice.practiceId,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now).toISOString(),
  });
  await insertSession(database, session, undefined, now);
  await writeExpiry(database, session);
  const eventId = sessionEventId(session.sessionId, 1);
  const key = { eventId, endpointId: service.practice.endpointId };
  await expect.poll(() => getDelivery(database, key), { timeout: 5000 }).toMatchObject({ status: 'delivered' });
  await expect.poll(() => getEvent(database, eventId)).not.toHaveProperty('dueShard');
  return { sessionId: session.sessionId, eventId, key };
}

async function makeDue(eventId: string): Promise<void> {
  const { dueShard, dueAt } = due('dispatch', eventId, later());
  await database.client.send(
    new UpdateCommand({
      TableName: database.tables.events,
      Key: { eventId },
      UpdateExpression: 'SET dueShard = :dueShard, dueAt = :dueAt',
      ExpressionAttributeValues: { ':dueShard': dueShard, ':dueAt': dueAt },
    }),
  );
}

describe('a redrive', () => {
  it.each([
    ['the queue of submissions', 'FailedSubmissions', (sessionId: string) => ({ sessionId })],
    [
      'the rule for debits, as its ticket',
      'UndeliveredDebits',
      (sessionId: string) => ({ eventId: 'evt_1', sessionId, practiceId: 'prc_1' }),
    ],
    [
      'the rule for debits, as the whole event',
      'UndeliveredDebits',
      (sessionId: string) => ({
        version: '0',
        'detail-type': 'session.payment.processing',
        detail: { eventId: 'evt_1', sessionId, practiceId: 'prc_1' },
      }),
    ],
  ])('brings a debit to its end that failed in %s', async (_, name, body) => {
    const { sessionId } = await anAuthorizedSession();
    await fail(name, body(sessionId));
    expect(await redrive(service.operated, { queue: name }, Date.now())).toEqual({
      redriven: { [name]: 1 },
      dropped: { [name]: 0 },
      kept: { [name]: 0 },
    });
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    expect(await getSession(database, sessionId)).toMatchObject({ status: 'succeeded' });
    expect(await messagesIn(name)).toBe(0);
  });

  it('sends a webhook whose ticket failed, as that of its endpoint', async () => {
    const { key } = await aDeliveredEvent();
    const { dueShard, dueAt } = due('delivery', `${key.eventId}#${key.endpointId}`, later());
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
    await fail('FailedDeliveries', { ...key, attemptNumber: 2 });
    expect(await redrive(service.operated, { queue: 'FailedDeliveries' }, Date.now())).toMatchObject({
      redriven: { FailedDeliveries: 1 },
    });
    await expect
      .poll(() => getDelivery(database, key), { timeout: 5000 })
      .toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it.each([
    [
      'the function gave up',
      'UndispatchedEvents',
      (eventId: string) => ({
        version: '1.0',
        requestContext: { condition: 'RetriesExhausted' },
        requestPayload: { eventId, sessionId: 'ses_1' },
      }),
    ],
    ['the rule could not hand on', 'UndeliveredEvents', (eventId: string) => ({ eventId, sessionId: 'ses_1' })],
    [
      'the rule could not hand on whole',
      'UndeliveredEvents',
      (eventId: string) => ({ version: '0', detail: { eventId, sessionId: 'ses_1' } }),
    ],
    [
      'could not be read',
      'UnreadableEvents',
      (eventId: string) => ({ sequenceNumber: '1', image: { eventId: { S: eventId } } }),
    ],
  ])('has the next sweep publish an event that %s', async (_, name, body) => {
    const { sessionId, eventId } = await anUndispatchedEvent();
    await fail(name, body(eventId));
    expect(await redrive(service.operated, { queue: name }, Date.now())).toMatchObject({
      redriven: { [name]: 1 },
      dropped: { [name]: 0 },
    });
    await service.stack.fireSchedules();
    await service.receiver.waitFor('session.payment.cancelled', sessionId);
    expect(await messagesIn(name)).toBe(0);
  });

  it('drops what holds no work: failures of stream and sweep, and events that are dispatched or gone', async () => {
    const { eventId } = await aDeliveredEvent();
    await fail('UndispatchedEvents', { requestPayload: { eventId } });
    await fail('UndispatchedEvents', { requestPayload: { eventId: 'evt_gone' } });
    await fail('UnpublishedEvents', { DDBStreamBatchInfo: { batchSize: 1 } });
    await fail('FailedSweeps', { requestPayload: { source: 'aws.events' } });
    await fail('UndeliveredSweeps', { source: 'aws.events' });
    const { redriven, dropped } = await redrive(service.operated, {}, Date.now());
    expect(dropped).toMatchObject({
      UndispatchedEvents: 2,
      UnpublishedEvents: 1,
      FailedSweeps: 1,
      UndeliveredSweeps: 1,
    });
    expect(redriven).toMatchObject({ UndispatchedEvents: 0 });
    expect(await getEvent(database, eventId)).not.toHaveProperty('dueShard');
  });

  it('keeps what it does not understand, for people to see', async () => {
    await fail('UndispatchedEvents', 'no JSON');
    await fail('UndispatchedEvents', { requestPayload: {} });
    expect(await redrive(service.operated, { queue: 'UndispatchedEvents' }, Date.now())).toMatchObject({
      kept: { UndispatchedEvents: 2 },
      dropped: { UndispatchedEvents: 0 },
    });
    expect(await messagesIn('UndispatchedEvents')).toBe(2);
  });

  it('leaves what came after it began, so that it ends also where everything fails again', async () => {
    const began = Date.now() - 1;
    await fail('FailedSubmissions', { sessionId: 'ses_1' });
    expect(await redrive(service.operated, { queue: 'FailedSubmissions' }, began)).toMatchObject({
      redriven: { FailedSubmissions: 0 },
    });
    expect(await messagesIn('FailedSubmissions')).toBe(1);
  });

  it('moves more messages than SQS hands over at once, unchanged, in their order, no faster than fifty a second', async () => {
    const [from, to] = ['FailedSettlements', 'UnpublishedEvents'];
    for (let index = 0; index < 25; index += 1) {
      await service.operated.sqs.send(
        new SendMessageCommand({ QueueUrl: queue(from), MessageBody: `{ "sessionId": "ses_${index}" }` }),
      );
    }
    // To a queue that nobody reads.
    const operated = {
      ...service.operated,
      deadLetters: [{ name: from, queueUrl: queue(from), kind: 'ticket', target: queue(to) } as const],
    };
    expect(await redrive(operated, {}, Date.now())).toMatchObject({ redriven: { [from]: 25 } });
    const moved = [];
    for (let round = 0; round < 3; round += 1) {
      const { Messages = [] } = await service.operated.sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queue(to),
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      );
      moved.push(...Messages);
    }
    expect(moved.map(({ Body }) => Body)).toEqual(
      Array.from({ length: 25 }, (_, index) => `{ "sessionId": "ses_${index}" }`),
    );
    const [first, last] = [moved[0], moved.at(-1)].map((message) => Number(message?.Attributes?.SentTimestamp));
    expect((last ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(24 * 19);
  });

  it('keeps the group of a message, so that its fair share stays what it was', async () => {
    const [from, to] = ['FailedSettlements', 'UnpublishedEvents'];
    await fail(from, {});
    // fauxqs knows no groups but those of FIFO queues: the group is put to what it hands over, and what is sent is looked at.
    const sqs = new SQSClient({
      endpoint: service.stack.environment['AWS_ENDPOINT_URL_SQS'] ?? '',
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const sent: unknown[] = [];
    sqs.middlewareStack.add(
      (next) => async (args) => {
        sent.push(args.input);
        const answer = await next(args);
        if ('Messages' in answer.output)
          for (const { Attributes } of answer.output.Messages ?? [])
            Object.assign(Attributes ?? {}, { MessageGroupId: 'whe_1' });
        return answer;
      },
      { step: 'initialize' },
    );
    const operated = {
      ...service.operated,
      sqs,
      deadLetters: [{ name: from, queueUrl: queue(from), kind: 'ticket', target: queue(to) } as const],
    };
    await redrive(operated, {}, Date.now());
    expect(sent).toContainEqual({ QueueUrl: queue(to), MessageBody: '{}', MessageGroupId: 'whe_1' });
    sqs.destroy();
  });

  it('names the queues that there are where it is asked for another', async () => {
    await expect(redrive(service.operated, { queue: 'Nonsense' }, Date.now())).rejects.toThrow(
      /The queues are FailedSubmissions, .*UndeliveredSweeps/,
    );
  });
});

describe('the publisher', () => {
  it('publishes neither the change of an event nor its end', async () => {
    const { eventId, key } = await aDeliveredEvent();
    const { eventId: removed } = await aDeliveredEvent();
    const parkedBefore = await messagesIn('UnreadableEvents');
    await database.client.send(new DeleteCommand({ TableName: database.tables.deliveries, Key: key }));
    await makeDue(eventId);
    await database.client.send(new DeleteCommand({ TableName: database.tables.events, Key: { eventId: removed } }));
    // Whatever comes later on the stream has been seen after them.
    await aDeliveredEvent();
    expect(await getDelivery(database, key)).toBeUndefined();
    expect(await getEvent(database, eventId)).toHaveProperty('dueShard');
    expect(await messagesIn('UnreadableEvents')).toBe(parkedBefore);
  });

  it('parks a row that is no event, with its image, and publishes what comes after it', async () => {
    const eventId = `evt_${randomBytes(8).toString('hex')}`;
    await database.client.send(
      new PutCommand({ TableName: database.tables.events, Item: { eventId, type: 'session.payment.unheard_of' } }),
    );
    await aDeliveredEvent();
    const { Messages = [] } = await service.operated.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queue('UnreadableEvents'), WaitTimeSeconds: 5 }),
    );
    expect(Messages.map(({ Body }) => JSON.parse(Body ?? ''))).toMatchObject([
      { image: { eventId: { S: eventId }, type: { S: 'session.payment.unheard_of' } } },
    ]);
  });
});
