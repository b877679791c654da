import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';

interface Options<Key extends z.ZodMiniType> {
  readonly key: Key;
  readonly work: (key: z.output<Key>) => Promise<void>;
  readonly logFailure: (error: unknown, fields: { sequenceNumber: string }) => void;
}

/** Handles a table's new rows one by one. Lambda retries from the first one that fails. */
export function streamHandler<Key extends z.ZodMiniType>({ key, work, logFailure }: Options<Key>) {
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
