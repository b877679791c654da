import * as z from 'zod/mini';
import { row } from './operations.ts';

const reason = z.object({ Code: z.optional(z.string()), Item: z.optional(row) });

const failure = z.object({
  /** `com.amazonaws.dynamodb.v20120810#ThrottlingException` */
  __type: z.optional(z.string()),
  message: z.optional(z.string()),
  /** Of a canceled transaction. */
  Message: z.optional(z.string()),
  Item: z.optional(row),
  CancellationReasons: z.optional(z.array(reason)),
});
type Failure = z.output<typeof failure>;

export class DynamoDbError extends Error {
  /** As in the SDK's errors. */
  readonly $metadata: { readonly httpStatusCode: number };
  /** The row that refused a conditional write. */
  readonly row: Failure['Item'];
  /** Why a transaction was canceled, one for each part. */
  readonly reasons: Failure['CancellationReasons'];

  constructor(httpStatusCode: number, { __type: type, message, Message, Item, CancellationReasons }: Failure) {
    super(message ?? Message);
    this.name = type?.split('#').at(-1) ?? 'UnknownError';
    this.$metadata = { httpStatusCode };
    this.row = Item;
    this.reasons = CancellationReasons;
  }
}

export function errorOf(httpStatusCode: number, body: string): DynamoDbError {
  try {
    return new DynamoDbError(httpStatusCode, z.parse(failure, JSON.parse(body)));
  } catch {
    // Not from DynamoDB: a proxy's error page.
    return new DynamoDbError(httpStatusCode, {});
  }
}

/** The condition of a single write does not hold. */
export function isRefusal(error: unknown): error is DynamoDbError {
  return error instanceof DynamoDbError && error.name === 'ConditionalCheckFailedException';
}
