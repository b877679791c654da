import { setTimeout as wait } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Database } from './database.ts';
import type { Part } from './writes.ts';

type Refused<Name extends string> = ReadonlyMap<Name, unknown>;

const conflictRetries = 6;

/** Undefined if written, else the parts that refused. Throws if conflicts persist. */
export async function transact<Name extends string>(
  { client }: Database,
  parts: Readonly<Record<Name, Part | undefined>>,
): Promise<Refused<Name> | undefined> {
  const names: Name[] = [];
  const items: Part[] = [];
  for (const name in parts) {
    const part = parts[name];
    if (!part) continue;
    names.push(name);
    items.push(part);
  }

  for (let retry = 0; ; retry += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }));
      return undefined;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const conflict = reasons.some(({ Code }) => Code === 'TransactionConflict');
      if (conflict && retry < conflictRetries) {
        await wait(10 * 2 ** retry);
        continue;
      }
      const refused = new Map<Name, unknown>();
      for (const [index, name] of names.entries()) {
        const { Code, Item } = reasons[index] ?? {};
        if (Code === 'ConditionalCheckFailed') refused.set(name, Item && unmarshall(Item));
      }
      // Beside a conflict, a failed condition may come from an unfinished transaction.
      if (conflict || refused.size === 0) throw error;
      return refused;
    }
  }
}
