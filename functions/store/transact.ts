import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isThrottled } from '../aws-failure.ts';
import { second } from '../domain/time.ts';
import { Unavailable } from '../domain/unavailable.ts';
import type { Database } from './database.ts';
import type { Part } from './writes.ts';

type Refused<Name extends string> = ReadonlyMap<Name, unknown>;

/** In milliseconds. After it, one more call must fit into the time of an API's function. */
const retryTime = 2 * second;
const maximumRetries = 8;

const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Undefined if written, else the parts that refused. Throws `Unavailable` if conflicts or throttling persist. */
export async function transact<Name extends string>(
  { client }: Database,
  parts: Readonly<Record<Name, Part | undefined>>,
  random: () => number = Math.random,
): Promise<Refused<Name> | undefined> {
  const names: Name[] = [];
  const items: Part[] = [];
  for (const name in parts) {
    const part = parts[name];
    if (!part) continue;
    names.push(name);
    items.push(part);
  }

  const giveUpAt = performance.now() + retryTime;
  let token = randomUUID();
  for (let retry = 0; ; retry += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token }));
      return undefined;
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : undefined;
      // Beside a conflict, a failed condition may come from an unfinished transaction.
      const canPass = reasons?.some(({ Code = '' }) => passing.has(Code)) ?? isThrottled(error);
      if (canPass) {
        const wait = random() * 10 * 2 ** retry;
        if (retry >= maximumRetries || performance.now() + wait > giveUpAt)
          throw new Unavailable('a transaction met conflicts or throttling until it gave up', { cause: error });
        await pause(wait);
        // What was throttled may follow an attempt that went unanswered: it must stay the same transaction.
        if (reasons) token = randomUUID();
        continue;
      }
      const refused = new Map<Name, unknown>();
      for (const [index, name] of names.entries()) {
        const { Code, Item } = reasons?.[index] ?? {};
        if (Code === 'ConditionalCheckFailed') refused.set(name, Item && unmarshall(Item));
      }
      if (refused.size === 0) throw error;
      return refused;
    }
  }
}
