import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { isThrottled } from '../aws-failure.ts';
import { second } from '../domain/time.ts';
import { Unavailable, Fault } from '../domain/fault.ts';
import type { Database } from './database.ts';
import { rowOf } from './dynamodb.ts';
import type { Part } from './writes.ts';

type Refused<Name extends string> = ReadonlyMap<Name, unknown>;

/** Milliseconds after which no retry starts: one more call must fit into an API function's timeout. */
const retryTime = 2 * second;
const maximumRetries = 8;

const transientCodes = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Undefined if written; otherwise the parts that refused. Throws Unavailable if conflicts or throttling persist. */
export async function transact<Name extends string>(
  { call }: Database,
  parts: Readonly<Record<Name, Part | undefined>>,
  random: () => number = Math.random,
  monotonicNow: () => number = () => performance.now(),
): Promise<Refused<Name> | undefined> {
  const names: Name[] = [];
  const items: Part[] = [];
  for (const name in parts) {
    const part = parts[name];
    if (!part) continue;
    names.push(name);
    items.push(part);
  }

  const giveUpAt = monotonicNow() + retryTime;
  let token = randomUUID();
  for (let retry = 0; ; retry += 1) {
    try {
      await call('TransactWriteItems', { TransactItems: items, ClientRequestToken: token });
      return undefined;
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
      // If another part had a conflict, a failed condition may come from the unfinished transaction: retry.
      const isTransient = reasons?.some(({ Code }) => transientCodes.has(Code ?? '')) ?? isThrottled(error);
      if (isTransient) {
        const wait = random() * 10 * 2 ** retry;
        if (retry >= maximumRetries || monotonicNow() + wait > giveUpAt)
          throw new Unavailable('a transaction met conflicts or throttling until it gave up', { cause: error });
        await pause(wait);
        // A throttled call may follow an unanswered attempt of the same transaction, so it keeps its token.
        if (reasons) token = randomUUID();
        continue;
      }
      const refused = new Map<Name, unknown>();
      for (const [index, name] of names.entries()) {
        const { Code, Item } = reasons?.[index] ?? {};
        if (Code === 'ConditionalCheckFailed') refused.set(name, Item && rowOf(Item));
      }
      if (refused.size === 0) throw error;
      return refused;
    }
  }
}

const attempts = 5;

/** Repeats `attempt`, which reads and writes, while it returns undefined because of someone else's change. */
export async function untilWritten<Written>(
  what: string,
  attempt: () => Promise<Written | undefined>,
): Promise<Written> {
  for (let count = 1; count <= attempts; count += 1) {
    const written = await attempt();
    if (written !== undefined) return written;
  }
  throw new Fault(`the ${what} kept changing`);
}
