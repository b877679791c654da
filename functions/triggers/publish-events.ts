import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { eventBusName, queueUrl, tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { publisher, busSender } from '../messages/webhooks/event-bus.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { publishRecords, type OutboxTools } from '../webhooks/outbox.ts';

const tools: OutboxTools = {
  database: connect(tableNames()),
  publish: publisher(busSender(eventBusName())),
  sendDeliveries: ticketSender(queueUrl('deliveries')),
  park: ticketSender(queueUrl('unreadableEvents')),
  clock: Date.now,
};

/** Lambda retries from the first failed record. */
export const handler = logsItsFaults(async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const itemIdentifier = await publishRecords(tools, Records);
  return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
});
