import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { logFault } from '../log.ts';

/** A ticket contains only ids and numbers, which are safe to log. */
type TicketIds = Readonly<Record<string, string | number>>;

/**
 * Handles a batch of tickets in parallel. A ticket whose work throws is retried and ends in the dead-letter queue; the
 * others are deleted. Only our own failures may throw.
 */
export function ticketHandler<Ticket extends z.ZodMiniType<TicketIds>>(
  ticket: Ticket,
  work: (ticket: z.output<Ticket>) => Promise<void>,
) {
  const processor = new BatchProcessor(EventType.SQS);
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
    processPartialResponse(
      event,
      async ({ body, messageId }: { body: string; messageId: string }) => {
        const ids: Partial<TicketIds> = {};
        try {
          const parsed = z.parse(ticket, JSON.parse(body));
          Object.assign(ids, parsed);
          await work(parsed);
        } catch (error) {
          logFault('ticket failed', error, { messageId, ...ids });
          throw error;
        }
      },
      processor,
      { context, throwOnFullBatchFailure: false },
    );
}
