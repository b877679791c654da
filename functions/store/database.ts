import { setTimeout as wait } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  TransactWriteCommand,
  UpdateCommand,
  type TransactWriteCommandInput,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from '../contract/environment.ts';

/** A connection that knows the names of some tables. A function that lacks a table cannot call what needs it. */
export interface Database<Tables extends Table = never> {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<Tables, string>>;
}

/** Connects to the tables of these names; the endpoint and credentials are the SDK's standard variables. */
export function connect<Tables extends Table>(
  tables: Readonly<Record<Tables, string>>,
  client = new DynamoDBClient({}),
): Database<Tables> {
  retryConflicts(client);
  return { client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }), tables };
}

/** A single write that meets a transaction is refused with a conflict, which the SDK takes for final; it is not: try again. */
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
    // Around the deserializer, which makes the error, and inside of the retries.
    { step: 'deserialize', priority: 'high', name: 'retryConflicts', override: true },
  );
}

/** What a conditional write answered, or undefined where its condition failed. */
export async function unlessRefused<Answer>(write: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** Runs a conditional update; gives the row after it, or, refused, the row that refused it, which is undefined where there is none. */
export async function updateUnlessRefused(
  database: Database,
  update: UpdateCommandInput,
): Promise<{ written: boolean; row: unknown }> {
  try {
    const { Attributes } = await database.client.send(
      new UpdateCommand({ ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD', ...update }),
    );
    return { written: true, row: Attributes };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException)
      return { written: false, row: error.Item && unmarshall(error.Item) };
    throw error;
  }
}

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Why a transaction was not written: per item, whether its condition failed, and the row as it is where that was asked for. */
export interface Refusal {
  readonly conditionFailed: boolean;
  readonly row: unknown;
}

const conflictRetries = 6;

/**
 * Writes all items or none. Returns undefined when written, else the refusals in the items' order.
 * Conflicts with other transactions are retried; throws when they do not end, and on any other fault.
 */
export async function transactWrite(
  database: Database,
  items: TransactItem[],
): Promise<readonly Refusal[] | undefined> {
  for (let retry = 0; ; retry += 1) {
    try {
      await database.client.send(new TransactWriteCommand({ TransactItems: items }));
      return undefined;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const conflict = reasons.some(({ Code }) => Code === 'TransactionConflict');
      if (conflict && retry < conflictRetries) {
        await wait(10 * 2 ** retry);
        continue;
      }
      // Beside a conflict, a failed condition may be of a transaction that is still under way: it says nothing.
      if (conflict || !reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) throw error;
      return reasons.map(({ Code, Item }) => ({
        conditionFailed: Code === 'ConditionalCheckFailed',
        row: Item && unmarshall(Item),
      }));
    }
  }
}

/** An update expression that sets the defined values and removes the named attributes. */
export function updateExpression(set: Readonly<Record<string, unknown>>, remove: readonly string[] = []) {
  const entries = Object.entries(set).filter(([, value]) => value !== undefined);
  const names = Object.fromEntries([...entries.map(([name]) => name), ...remove].map((name) => [`#${name}`, name]));
  const parts = [
    entries.length > 0 ? `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}` : '',
    remove.length > 0 ? `REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : '',
  ];
  return {
    UpdateExpression: parts.filter(Boolean).join(' '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}
