import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { logFault } from '../log.ts';

const newEntry = z.pipe(
  z.object({
    dynamodb: z.object({
      Keys: z.object({ practiceId: z.object({ S: z.string() }), entryId: z.object({ S: z.string() }) }),
    }),
  }),
  z.transform(({ dynamodb: { Keys } }) => ({ practiceId: Keys.practiceId.S, entryId: Keys.entryId.S })),
);

/** Lambda retries from the first entry that fails. */
export function auditStreamHandler(work: (entry: { practiceId: string; entryId: string }) => Promise<void>) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    for (const record of Records) {
      try {
        await work(z.parse(newEntry, record));
      } catch (error) {
        const itemIdentifier = record.dynamodb?.SequenceNumber ?? '';
        logFault('audit entry failed', error, { sequenceNumber: itemIdentifier });
        return { batchItemFailures: [{ itemIdentifier }] };
      }
    }
    return { batchItemFailures: [] };
  };
}
