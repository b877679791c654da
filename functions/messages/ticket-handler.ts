import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { logFault } from '../log.ts';

/** Only ids and numbers, which are safe to log. */
type TicketIds = Readonly<Record<string, string | number | undefined>>;

/** Throw only for our own failures: a failed ticket is retried. */
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
