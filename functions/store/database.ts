import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { awsClient } from '../aws-client.ts';
import { isUnanswered } from '../aws-failure.ts';
import type { Table } from '../contract/environment.ts';
import { Unavailable } from '../domain/unavailable.ts';

export interface Database<Tables extends Table = never> {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<Tables, string>>;
}

export function connect<Tables extends Table>(
  tables: Readonly<Record<Tables, string>>,
  client = new DynamoDBClient(awsClient),
): Database<Tables> {
  classifyErrors(client);
  leaveOutOverhead(client);
  return { client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }), tables };
}

function classifyErrors(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => {
      let unanswered = false;
      return async (args) => {
        try {
          return await next(args);
        } catch (error) {
          // The SDK treats a transaction conflict as final; it can be retried.
          if (error instanceof TransactionConflictException) throw Object.assign(error, { $retryable: {} });
          // The condition may fail because an earlier attempt of this call succeeded: that is not a refusal.
          if (unanswered && error instanceof ConditionalCheckFailedException)
            throw new Unavailable('a write was repeated, and its condition no longer holds', { cause: error });
          unanswered ||= isUnanswered(error);
          throw error;
        }
      };
    },
    // Runs outside the deserializer, which creates the error, and inside the retries.
    { step: 'deserialize', priority: 'high', name: 'classifyErrors', override: true },
  );
}

/** A seventh of a call's CPU time: a signer for each call, input and output copied for a log that is off, a user agent. */
function leaveOutOverhead({ config, middlewareStack }: DynamoDBClient): void {
  const makeSigner = config.signer;
  let signer: ReturnType<typeof makeSigner> | undefined;
  config.signer = (authScheme) => (signer ??= makeSigner(authScheme));
  middlewareStack.remove('loggerMiddleware');
  middlewareStack.remove('getUserAgentMiddleware');
}
