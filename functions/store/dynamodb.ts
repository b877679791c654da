import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactionConflictException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { awsClient } from '../aws-client.ts';
import { isUnanswered } from '../aws-failure.ts';
import { Unavailable } from '../domain/fault.ts';
import { outputs, type Inputs, type Operation, type Output } from './operations.ts';

/** Throws Unavailable if a conditional write was repeated and its condition no longer holds. */
export type Call = <Name extends Operation>(operation: Name, input: Inputs[Name]) => Promise<Output<Name>>;

export function dynamoDb(options: DynamoDBClientConfig = {}): Call {
  const client = new DynamoDBClient({ ...awsClient, ...options });
  judgeAttempts(client);
  const send: { readonly [Name in Operation]: (input: Inputs[Name]) => Promise<object> } = {
    BatchGetItem: (input) => client.send(new BatchGetItemCommand(input)),
    DeleteItem: (input) => client.send(new DeleteItemCommand(input)),
    GetItem: (input) => client.send(new GetItemCommand(input)),
    PutItem: (input) => client.send(new PutItemCommand(input)),
    Query: (input) => client.send(new QueryCommand(input)),
    Scan: (input) => client.send(new ScanCommand(input)),
    TransactWriteItems: (input) => client.send(new TransactWriteItemsCommand(input)),
    UpdateItem: (input) => client.send(new UpdateItemCommand(input)),
  };
  return async (operation, input) => z.parse(outputs[operation], await send[operation](input));
}

/** Sees each attempt, because it is below the SDK's retries. The SDK calls the outer function once for each call. */
function judgeAttempts({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => {
      let unanswered = false;
      return async (args) => {
        try {
          return await next(args);
        } catch (error) {
          // To the SDK, a conflict with a transaction is final.
          if (error instanceof TransactionConflictException) throw Object.assign(error, { $retryable: {} });
          // The condition may fail because an earlier attempt of this call succeeded: that is not a refusal.
          if (unanswered && error instanceof ConditionalCheckFailedException)
            throw new Unavailable('a write was repeated, and its condition no longer holds', { cause: error });
          unanswered ||= isUnanswered(error);
          throw error;
        }
      };
    },
    { step: 'finalizeRequest', priority: 'low', name: 'judgeAttempts' },
  );
}
