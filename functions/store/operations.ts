import type {
  AttributeValue,
  BatchGetItemInput,
  DeleteItemInput,
  GetItemInput,
  PutItemInput,
  QueryInput,
  ScanInput,
  TransactWriteItemsInput,
  UpdateItemInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';

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
