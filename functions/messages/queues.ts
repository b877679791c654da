import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { second } from '../domain/time.ts';
import { Fault } from '../domain/fault.ts';

export interface Ticket {
  readonly body: object;
  /** Milliseconds until it may be received, at most 15 minutes; SQS counts in whole seconds, so it is rounded up. */
  readonly delay?: number;
  /** Whose ticket it is, for SQS fair queues: a busy one's backlog does not hold up the others'. */
  readonly groupId?: string;
}

/** Sends tickets to a queue, ten at a time; throws if any was not accepted. */
export type SendTickets = (tickets: readonly Ticket[]) => Promise<void>;

const batchSize = 10;
const longestDelaySeconds = 900;

export function ticketSender(queueUrl: string, client = new SQSClient({})): SendTickets {
  return async (tickets) => {
    for (let start = 0; start < tickets.length; start += batchSize) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: tickets.slice(start, start + batchSize).map(({ body, delay = 0, groupId }, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(body),
            DelaySeconds: Math.min(Math.max(Math.ceil(delay / second), 0), longestDelaySeconds),
            MessageGroupId: groupId,
          })),
        }),
      );
      if (Failed.length > 0)
        throw new Fault(`${Failed.length} tickets were not accepted: ${Failed.map(({ Code }) => Code).join(', ')}`);
    }
  };
}
