import type { SQSBatchResponse, SQSEvent, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { logFault, traced } from '../log.ts';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { Fault } from '../domain/fault.ts';

/** Only IDs and numbers: a failed ticket is logged. */
type TicketIds = Readonly<Record<string, string | number | undefined>>;

/** `work` should throw only for our own failures: a failed ticket is retried. */
export function ticketHandler<Ticket extends z.ZodMiniType<TicketIds>>(
  ticket: Ticket,
  work: (ticket: z.output<Ticket>) => Promise<void>,
) {
  return batchHandler(ticket, (tickets, requestIds) =>
    Promise.allSettled(tickets.map((each, index) => traced(requestIds[index], () => work(each)))),
  );
}

const trace = z.object({ requestId: z.optional(z.string()) });

/** `work` returns a result for each ticket, in order. `requestIds` are the requests that caused the tickets. */
export function batchHandler<Ticket extends z.ZodMiniType<TicketIds>>(
  ticket: Ticket,
  work: (
    tickets: readonly z.output<Ticket>[],
    requestIds: readonly (string | undefined)[],
  ) => Promise<readonly PromiseSettledResult<void>[]>,
) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    function fail(messageId: string, error: unknown, ids: Partial<TicketIds> = {}): void {
      logFault('ticket failed', error, { messageId, ...ids });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
    const read = Records.flatMap(({ body, messageId }) => {
      try {
        const sent: unknown = JSON.parse(body);
        const { requestId } = z.parse(trace, sent);
        return [{ messageId, requestId, ids: z.parse(ticket, sent) }];
      } catch (error) {
        fail(messageId, error);
        return [];
      }
    });
    const results = await work(
      read.map(({ ids }) => ids),
      read.map(({ requestId }) => requestId),
    );
    for (const [index, { messageId, requestId, ids }] of read.entries()) {
      const result = results[index];
      if (result?.status === 'rejected') fail(messageId, result.reason, { requestId, ...ids });
    }
    return { batchItemFailures };
  };
}

const entryKey = z.pipe(
  z.object({ practiceId: z.object({ S: z.string() }), entryId: z.object({ S: z.string() }) }),
  z.transform(({ practiceId, entryId }) => ({ practiceId: practiceId.S, entryId: entryId.S })),
);

export function auditStreamHandler(work: (entry: { practiceId: string; entryId: string }) => Promise<void>) {
  return streamHandler({
    key: entryKey,
    work,
    logFailure: (error, fields) => logFault('audit entry failed', error, fields),
  });
}

const key = z.pipe(
  z.object({ eventId: z.object({ S: z.string() }) }),
  z.transform(({ eventId }) => eventId.S),
);

/** Handles the stream of events that report an authorization. */
export function evidenceStreamHandler(work: (session: { sessionId: string }) => Promise<void>) {
  return streamHandler({
    key,
    async work(eventId) {
      const sessionId = sessionIdOfEvent(eventId);
      if (sessionId === undefined) throw new Fault('the event belongs to no session');
      await work({ sessionId });
    },
    logFailure: (error, fields) => logFault('evidence not archived', error, fields),
  });
}

interface Options<Key extends z.ZodMiniType> {
  readonly key: Key;
  readonly work: (key: z.output<Key>) => Promise<void>;
  readonly logFailure: (error: unknown, fields: { sequenceNumber: string }) => void;
}

/** Handles a table's new rows one by one. Lambda retries from the first one that fails. */
function streamHandler<Key extends z.ZodMiniType>({ key, work, logFailure }: Options<Key>) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    for (const { dynamodb } of Records) {
      try {
        await work(z.parse(key, dynamodb?.Keys));
      } catch (error) {
        const itemIdentifier = dynamodb?.SequenceNumber ?? '';
        logFailure(error, { sequenceNumber: itemIdentifier });
        return { batchItemFailures: [{ itemIdentifier }] };
      }
    }
    return { batchItemFailures: [] };
  };
}
