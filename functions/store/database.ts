import { DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../contract/environment.ts';

/** A connection and the names of the tables that a function may use; code that needs another table does not compile. */
export interface Database<Tables extends Table = never> {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<Tables, string>>;
}

/** Connects to these tables; the SDK takes its endpoint and credentials from its standard variables. */
export function connect<Tables extends Table>(
  tables: Readonly<Record<Tables, string>>,
  client = new DynamoDBClient({}),
): Database<Tables> {
  retryConflicts(client);
  return { client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }), tables };
}

/** A single write that conflicts with a transaction can be retried, but the SDK treats that error as final. */
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
