import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hour } from '../../functions/domain/time.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { getSession } from '../../functions/store/sessions/sessions.ts';
import { deadLetterMessages } from '../../functions/messages/dead-letters.ts';
import { redrive } from '../../functions/webhooks/redrive.ts';
import { awsConfig } from '../support/answered-client.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import { deliveredEvent, makeDeliveryDue, makeEventDue, putAuthorizedSession } from './stranded.ts';

// Of its own: it empties every dead-letter queue and counts what was in them.
let service: TestStack;
let database: TestDatabase;
let sqs: SQSClient;
beforeAll(async () => {
  service = await startTestStack();
  database = databaseOf(service.stack);
  sqs = sqsClient();
});
afterAll(() => service.stop());

const sqsClient = () => new SQSClient(awsConfig(service.stack.environment['AWS_ENDPOINT_URL_SQS'] ?? ''));

/** Late enough that only a redrive can bring the work back. */
const later = () => Date.now() + hour;

const queue = (name: string) => service.operated.deadLetterQueues.find((each) => each.name === name)?.queueUrl ?? '';

async function fail(name: string, body: object | string): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queue(name),
      MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

const parked = (eventId: string) => ({ sequenceNumber: '1', eventId });

async function messagesIn(name: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queue(name), AttributeNames: ['All'] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages) + Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
}

/** Concurrent tests must leave each other's messages alone. */
const only = (...names: string[]) => ({
  ...service.operated,
  deadLetterQueues: service.operated.deadLetterQueues.filter(({ name }) => names.includes(name)),
});

function movingTo(from: string, to: string) {
  const deadLetterQueues = [{ name: from, queueUrl: queue(from), kind: 'ticket', target: queue(to) } as const];
  return { ...service.operated, deadLetterQueues };
}

describe.concurrent('a redrive', () => {
  it('submits debits that failed in their queue or at their rule', async ({ expect }) => {
    const sessions = await Promise.all([1, 2, 3].map(() => putAuthorizedSession(service, database, later())));
    const [one, two, three] = sessions.map(({ sessionId }) => sessionId);
    await fail('FailedSubmissions', { sessionId: one });
    await fail('UndeliveredDebits', { eventId: 'evt_1', sessionId: two, practiceId: 'prc_1' });
    await fail('UndeliveredDebits', {
      version: '0',
      'detail-type': 'session.payment.processing',
      detail: { eventId: 'evt_1', sessionId: three, practiceId: 'prc_1' },
    });
    expect(await redrive(only('FailedSubmissions', 'UndeliveredDebits'), {}, Date.now())).toEqual({
      redriven: { FailedSubmissions: 1, UndeliveredDebits: 2 },
      dropped: { FailedSubmissions: 0, UndeliveredDebits: 0 },
      kept: { FailedSubmissions: 0, UndeliveredDebits: 0 },
    });
    for (const { sessionId } of sessions) {
      await service.receiver.waitFor('session.payment.succeeded', sessionId);
      expect(await getSession(database, sessionId)).toMatchObject({ status: 'succeeded' });
    }
    expect([await messagesIn('FailedSubmissions'), await messagesIn('UndeliveredDebits')]).toEqual([0, 0]);
  });

  it('sends a webhook whose ticket failed, to that endpoint', async ({ expect }) => {
    const { key } = await deliveredEvent(service, database);
    await makeDeliveryDue(database, key, later());
    await fail('FailedDeliveries', { ...key, practiceId: service.practice.practiceId, attemptNumber: 2 });
    expect(await redrive(service.operated, { queue: 'FailedDeliveries' }, Date.now())).toEqual({
      redriven: { FailedDeliveries: 1 },
      dropped: { FailedDeliveries: 0 },
      kept: { FailedDeliveries: 0 },
    });
    await expect
      .poll(() => getDelivery(database, key), { timeout: 40_000 })
      .toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('has the next sweep publish events whose rows could not be read, even of a message that holds the row', async ({
    expect,
  }) => {
    const [one, two] = [await deliveredEvent(service, database), await deliveredEvent(service, database)];
    for (const { eventId, key } of [one, two]) {
      await database.documents.send(new DeleteCommand({ TableName: database.tables.deliveries, Key: key }));
      await makeEventDue(database, eventId, later());
    }
    await fail('UnreadableEvents', parked(one.eventId));
    await fail('UnreadableEvents', { sequenceNumber: '2', image: { eventId: { S: two.eventId } } });
    expect(await redrive(only('UnreadableEvents'), {}, Date.now())).toMatchObject({
      redriven: { UnreadableEvents: 2 },
      dropped: { UnreadableEvents: 0 },
    });
    await service.stack.fireSchedules();
    for (const { eventId } of [one, two]) {
      const received = () => service.receiver.received.filter(({ event }) => event.id === eventId).length;
      await expect.poll(received, { timeout: 40_000 }).toBe(2);
    }
    expect(await messagesIn('UnreadableEvents')).toBe(0);
  });

  it('moves several batches unchanged and in order, at most fifty messages per second', async ({ expect }) => {
    const [from, to] = ['FailedSettlements', 'UnpublishedEvents'];
    const bodies = Array.from({ length: 25 }, (_, index) => `{ "sessionId": "ses_${index}" }`);
    for (const body of bodies) await fail(from, body);
    expect(await redrive(movingTo(from, to), {}, Date.now())).toMatchObject({ redriven: { [from]: 25 } });
    const moved = [];
    for (let round = 0; round < 3; round += 1) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queue(to),
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      );
      moved.push(...Messages);
      // A message that is only received comes back.
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queue(to), Entries }));
    }
    expect(moved.map(({ Body }) => Body)).toEqual(bodies);
    const [first, last] = [moved[0], moved.at(-1)].map((message) => Number(message?.Attributes?.SentTimestamp));
    expect((last ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(24 * 19);
  });
});

describe('a redrive of every queue, or one', () => {
  it('drops messages without work: failures of stream and sweep, and events that were dispatched or do not exist', async () => {
    const { eventId } = await deliveredEvent(service, database);
    await fail('UnreadableEvents', parked(eventId));
    await fail('UnreadableEvents', parked('evt_gone'));
    await fail('UnpublishedEvents', { DDBStreamBatchInfo: { batchSize: 1 } });
    await fail('FailedSweeps', { requestPayload: { source: 'aws.events' } });
    await fail('UndeliveredSweeps', { source: 'aws.events' });
    const { redriven, dropped } = await redrive(service.operated, {}, Date.now());
    expect(dropped).toMatchObject({
      UnreadableEvents: 2,
      UnpublishedEvents: 1,
      FailedSweeps: 1,
      UndeliveredSweeps: 1,
    });
    expect(redriven).toMatchObject({ UnreadableEvents: 0 });
    expect(await getEvent(database, eventId)).not.toHaveProperty('dueShard');
  });

  it('keeps messages that it cannot read', async () => {
    await fail('UnreadableEvents', 'no JSON');
    await fail('UnreadableEvents', { sequenceNumber: '1' });
    expect(await redrive(service.operated, { queue: 'UnreadableEvents' }, Date.now())).toMatchObject({
      kept: { UnreadableEvents: 2 },
      dropped: { UnreadableEvents: 0 },
    });
    expect(await messagesIn('UnreadableEvents')).toBe(2);
  });

  it('leaves messages that arrived after it began, so that it always ends', async () => {
    const began = Date.now() - 1;
    await fail('FailedSubmissions', { sessionId: 'ses_1' });
    expect(await redrive(service.operated, { queue: 'FailedSubmissions' }, began)).toMatchObject({
      redriven: { FailedSubmissions: 0 },
    });
    expect(await messagesIn('FailedSubmissions')).toBe(1);
  });

  it('keeps the group of a message, which decides its fair share', async () => {
    const [from, to] = ['FailedSettlements', 'UnpublishedEvents'];
    await fail(from, {});
    // fauxqs supports groups on FIFO queues only, so add one here.
    const client = sqsClient();
    const sent: unknown[] = [];
    client.middlewareStack.add(
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
    await redrive({ ...movingTo(from, to), deadLetterMessages: deadLetterMessages(client) }, {}, Date.now());
    expect(sent).toContainEqual({ QueueUrl: queue(to), MessageBody: '{}', MessageGroupId: 'whe_1' });
    client.destroy();
  });

  it('lists the queues when there is none of that name', async () => {
    await expect(redrive(service.operated, { queue: 'Nonsense' }, Date.now())).rejects.toThrow(
      /The queues are FailedSubmissions, .*UndeliveredSweeps/,
    );
  });
});
