import { DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../contract/environment.ts';

export interface Database<Tables extends Table = never> {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<Tables, string>>;
}

export function connect<Tables extends Table>(
  tables: Readonly<Record<Tables, string>>,
  client = new DynamoDBClient({}),
): Database<Tables> {
  retryConflicts(client);
  return { client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }), tables };
}

/** The SDK treats a transaction conflict as final; it can be retried. */
function retryConflicts(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (error instanceof TransactionConflictException) throw Object.assign(error, { $retryable: {} });
        throw error;
      }
    },
    // Outside the deserializer, which creates the error, and inside the retries.
    { step: 'deserialize', priority: 'high', name: 'retryConflicts', override: true },
  );
}
