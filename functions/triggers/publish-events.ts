import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { eventBusName, queueUrl } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { publisher } from '../messages/event-bus.ts';
import { publishRecords, type OutboxTools } from '../messages/outbox.ts';
import { ticketSender } from '../messages/queues.ts';

const tools: OutboxTools = { publish: publisher(eventBusName()), park: ticketSender(queueUrl('unreadableEvents')) };

/** Lambda retries from the first failed record. */
export const handler = logsItsFaults(async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const itemIdentifier = await publishRecords(tools, Records);
  return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
});
