import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { Fault } from '../domain/fault.ts';
import { logFault } from '../log.ts';

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
