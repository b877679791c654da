import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, it } from 'vitest';
import { hour } from '../../functions/domain/time.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getSession } from '../../functions/store/sessions/sessions.ts';
import { redrive } from '../../functions/webhooks/redrive.ts';
import { awsConfig } from '../support/answered-client.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import { deliveredEvent, makeDeliveryDue, makeEventDue, putAuthorizedSession } from './stranded.ts';

let service: TestPractice;
let database: TestDatabase;
onStack.beforeAll(({ own }) => {
  service = own;
  database = databaseOf(service.stack);
});

/** Late enough that only a redrive can bring back the work. */
const later = () => Date.now() + hour;

/** Parks a message in each queue, and redrives those queues. */
async function redriven(...messages: [queue: string, body: object][]): Promise<void> {
  const { deadLetterQueues } = service.operated;
  const failed = deadLetterQueues.filter(({ name }) => messages.some(([queue]) => queue === name));
  const sqs = new SQSClient(awsConfig(service.stack.environment['AWS_ENDPOINT_URL_SQS'] ?? ''));
  for (const [queue, body] of messages) {
    const QueueUrl = failed.find(({ name }) => name === queue)?.queueUrl;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
  }
  sqs.destroy();
  await redrive({ ...service.operated, deadLetterQueues: failed }, {}, Date.now());
}

describe.concurrent('a redrive', () => {
  it('submits debits that failed in their queue or at their rule', async ({ expect }) => {
    const sessions = await Promise.all([1, 2, 3].map(() => putAuthorizedSession(service, database, later())));
    const [one, two, three] = sessions.map(({ sessionId }) => sessionId);
    const ticket = { eventId: 'evt_1', practiceId: 'prc_1' };
    await redriven(
      ['FailedSubmissions', { sessionId: one }],
      ['UndeliveredDebits', { ...ticket, sessionId: two }],
      ['UndeliveredDebits', { 'detail-type': 'session.payment.processing', detail: { ...ticket, sessionId: three } }],
    );
    for (const { sessionId } of sessions) {
      await service.receiver.waitFor('session.payment.succeeded', sessionId);
      expect(await getSession(database, sessionId)).toMatchObject({ status: 'succeeded' });
    }
  });

  it('sends a webhook whose ticket failed, to that endpoint', async ({ expect }) => {
    const { key } = await deliveredEvent(service, database);
    await makeDeliveryDue(database, key, later());
    const { practiceId } = service.practice;
    await redriven(['FailedDeliveries', { ...key, practiceId, attemptNumber: 2 }]);
    await expect.poll(() => getDelivery(database, key)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('has the next sweep publish an event whose row could not be read', async ({ expect }) => {
    const { eventId, key } = await deliveredEvent(service, database);
    await database.documents.send(new DeleteCommand({ TableName: database.tables.deliveries, Key: key }));
    await makeEventDue(database, eventId, later());
    await redriven(['UnreadableEvents', { sequenceNumber: '1', eventId }]);
    await service.stack.fireSchedules();
    const received = () => service.receiver.received.filter(({ event }) => event.id === eventId).length;
    await expect.poll(received).toBe(2);
  });
});
