import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { logFault } from '../log.ts';

/** Only IDs and numbers: a failed ticket is logged. */
type TicketIds = Readonly<Record<string, string | number | undefined>>;

/** `work` should throw only for our own failures: a failed ticket is retried. */
export function ticketHandler<Ticket extends z.ZodMiniType<TicketIds>>(
  ticket: Ticket,
  work: (ticket: z.output<Ticket>) => Promise<void>,
) {
  return batchHandler(ticket, (tickets) => Promise.allSettled(tickets.map(work)));
}

/** `work` returns a result for each ticket, in order. */
export function batchHandler<Ticket extends z.ZodMiniType<TicketIds>>(
  ticket: Ticket,
  work: (tickets: readonly z.output<Ticket>[]) => Promise<readonly PromiseSettledResult<void>[]>,
) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    function fail(messageId: string, error: unknown, ids: Partial<TicketIds> = {}): void {
      logFault('ticket failed', error, { messageId, ...ids });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
    const read = Records.flatMap(({ body, messageId }) => {
      try {
        return [{ messageId, ids: z.parse(ticket, JSON.parse(body)) }];
      } catch (error) {
        fail(messageId, error);
        return [];
      }
    });
    const results = await work(read.map(({ ids }) => ids));
    for (const [index, { messageId, ids }] of read.entries()) {
      const result = results[index];
      if (result?.status === 'rejected') fail(messageId, result.reason, ids);
    }
    return { batchItemFailures };
  };
}
