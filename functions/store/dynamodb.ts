import {
  type AttributeValue,
  type BatchGetItemInput,
  type DeleteItemInput,
  type GetItemInput,
  type PutItemInput,
  type QueryInput,
  type ScanInput,
  type TransactWriteItemsInput,
  type UpdateItemInput,
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
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { awsClient } from '../aws-client.ts';
import { isUnanswered } from '../aws-failure.ts';
import { Unavailable } from '../domain/fault.ts';

type Item = Readonly<Record<string, AttributeValue>>;

export function itemOf(row: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  return marshall(row, { removeUndefinedValues: true });
}

export function rowOf(item: Item): Readonly<Record<string, unknown>> {
  return unmarshall({ ...item });
}

const item = z.custom<Item>((value) => value instanceof Object);
const row = z.pipe(item, z.transform(rowOf));
const page = z.object({ Items: z.optional(z.array(row)), LastEvaluatedKey: z.optional(row) });
const changed = z.object({ Attributes: z.optional(row) });

const schemas = {
  BatchGetItem: z.object({
    Responses: z.optional(z.record(z.string(), z.array(row))),
    UnprocessedKeys: z.optional(z.record(z.string(), z.object({ Keys: z.array(item) }))),
  }),
  DeleteItem: changed,
  GetItem: z.object({ Item: z.optional(row) }),
  PutItem: z.object({}),
  Query: page,
  Scan: page,
  TransactWriteItems: z.object({}),
  UpdateItem: changed,
};

/** DynamoDB's own names. */
export interface Inputs {
  readonly BatchGetItem: BatchGetItemInput;
  readonly DeleteItem: DeleteItemInput;
  readonly GetItem: GetItemInput;
  readonly PutItem: PutItemInput;
  readonly Query: QueryInput;
  readonly Scan: ScanInput;
  readonly TransactWriteItems: TransactWriteItemsInput;
  readonly UpdateItem: UpdateItemInput;
}

export type Operation = keyof Inputs;
type Outputs = { readonly [Name in Operation]: z.output<(typeof schemas)[Name]> };
export type Output<Name extends Operation> = Outputs[Name];

/** Rows in responses become plain values. */
export const outputs: { readonly [Name in Operation]: z.ZodMiniType<Outputs[Name]> } = schemas;

/** Throws Unavailable if a conditional write was repeated and its condition no longer holds. */
export type Call = <Name extends Operation>(operation: Name, input: Inputs[Name]) => Promise<Output<Name>>;

export function dynamoDb(options: DynamoDBClientConfig = {}): Call {
  const client = new DynamoDBClient({ ...awsClient, ...options });
  judgeAttempts(client);
  // It copies what each request sends and receives, for a log that nobody keeps.
  client.middlewareStack.remove('loggerMiddleware');
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
