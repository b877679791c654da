import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { logFault } from '../log.ts';

/**
 * Handles a batch of tickets side by side. A ticket whose work throws stays in the queue, and in the end reaches its
 * dead-letter queue; the others are done. Only faults of ours may throw.
 */
export function ticketHandler<Ticket extends z.ZodMiniType>(ticket: Ticket, work: (ticket: z.output<Ticket>) => Promise<void>) {
  const processor = new BatchProcessor(EventType.SQS);
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
    processPartialResponse(
      event,
      async ({ body, messageId }: { body: string; messageId: string }) => {
        try {
          await work(z.parse(ticket, JSON.parse(body)));
        } catch (error) {
          logFault('ticket failed', error, { messageId });
          throw error;
        }
      },
      processor,
      { context, throwOnFullBatchFailure: false },
    );
}
