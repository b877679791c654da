import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsClient } from '../aws-client.ts';
import { batchesOf } from '../domain/collections.ts';
import { Fault } from '../domain/fault.ts';
import { maximumTicketDelay } from '../domain/webhooks/retry-schedule.ts';
import { second } from '../domain/time.ts';
import { tracedRequest } from '../log.ts';

export interface Ticket {
  readonly body: object;
  readonly delay?: number;
  /** For SQS fair queues: one group's backlog does not delay the others. */
  readonly groupId?: string;
}

export type SendTickets = (tickets: readonly Ticket[]) => Promise<void>;

const batchSize = 10;

export function ticketSender(queueUrl: string, client = new SQSClient(awsClient)): SendTickets {
  async function send(batch: readonly Ticket[]): Promise<void> {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: batch.map(({ body, delay = 0, groupId }, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ requestId: tracedRequest(), ...body }),
          DelaySeconds: Math.ceil(Math.min(Math.max(delay, 0), maximumTicketDelay) / second),
          MessageGroupId: groupId,
        })),
      }),
    );
    if (Failed.length > 0)
      throw new Fault(`${Failed.length} tickets were rejected: ${Failed.map(({ Code }) => Code).join(', ')}`);
  }
  return async (tickets) => {
    await Promise.all(batchesOf(tickets, batchSize).map(send));
  };
}
