import * as z from 'zod/mini';
import { row } from './operations.ts';

const reason = z.object({ Code: z.nullish(z.string()), Item: z.nullish(row) });

const failure = z.object({
  /** `com.amazonaws.dynamodb.v20120810#ThrottlingException` */
  __type: z.nullish(z.string()),
  message: z.nullish(z.string()),
  /** Of a canceled transaction. */
  Message: z.nullish(z.string()),
  Item: z.nullish(row),
  CancellationReasons: z.nullish(z.array(reason)),
});
type Failure = z.output<typeof failure>;

export class DynamoDbError extends Error {
  /** As in the SDK's errors. */
  readonly $metadata: { readonly httpStatusCode: number };
  /** The row that refused a conditional write. */
  readonly refusedBy: Failure['Item'];
  /** Why a transaction was canceled, one for each part. */
  readonly reasons: Failure['CancellationReasons'];

  constructor(httpStatusCode: number, { __type: type, message, Message, Item, CancellationReasons }: Failure) {
    super(message ?? Message ?? undefined);
    this.name = type?.split('#').at(-1) ?? 'UnknownError';
    this.$metadata = { httpStatusCode };
    this.refusedBy = Item;
    this.reasons = CancellationReasons;
  }
}

export function errorOf(httpStatusCode: number, body: string): DynamoDbError {
  return new DynamoDbError(httpStatusCode, z.safeParse(failure, parsed(body)).data ?? {});
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A proxy's error page.
    return {};
  }
}

/** The condition of a single write does not hold. */
export function isRefusal(error: unknown): error is DynamoDbError {
  return error instanceof DynamoDbError && error.name === 'ConditionalCheckFailedException';
}
