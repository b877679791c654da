import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { connect, type Database } from '../../functions/store/database.ts';
import { dynamoDb, outputs, type Call } from '../../functions/store/dynamodb.ts';
import { signature } from '../support/quick-calls.ts';
import { quickConfig } from '../support/tables.ts';
import type { Tables } from './tables.ts';
import type { World } from './world.ts';

export type Item = Readonly<Record<string, AttributeValue>>;

/** What a request, or one item of a transaction, does to one table, in DynamoDB's JSON. */
export interface Part {
  readonly TableName?: string;
  readonly Item?: Item;
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Item;
}

export type WriteItem = { -readonly [Kind in 'Put' | 'Update' | 'Delete' | 'ConditionCheck']?: Part };

interface Body extends Part {
  readonly IndexName?: string;
  readonly ExclusiveStartKey?: Item;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: WriteItem[];
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A change to the product's requests or responses, as a bug in its code would make it. */
export interface Plant {
  /** Returns the requests to send. The caller gets the answer to the last one. */
  readonly request?: (operation: string, body: Body, task: string) => Body[] | undefined;
  readonly answer?: (operation: string, body: Body, answer: { readonly Item?: Item }, task: string) => object;
}

interface Options {
  readonly world: World;
  readonly tables: Tables;
  readonly plant: Plant | undefined;
  readonly onWrite: (table: string) => void;
  /** Gets each new row of the outbox. */
  readonly onEvent: (item: Item) => void;
}

const decoder = new TextDecoder();
const attempts = 3;
/** How long an index can lag, in milliseconds. */
const longestLag = 10_000;

/** As the product's own client, which gets what does not succeed at once. Each request is a call of the world. */
export function faultyDatabase({ world, tables, plant, onWrite, onEvent }: Options): Database {
  const agent = new Agent({ keepAlive: true });
  const shards = new Set<string>();
  const earlier = new Map<string, { readonly answer: Answer; readonly at: number }>();

  function post(operation: string, body: string): Promise<Answer> {
    const headers = {
      ...signature,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      httpRequest(tables.endpoint, { method: 'POST', headers, agent }, (response) => {
        buffer(response).then(
          (bytes) => resolve({ statusCode: response.statusCode ?? 0, headers: {}, body: bytes }),
          reject,
        );
      })
        .on('error', reject)
        .end(body);
    });
  }

  /** What a query of a lagging index returns: what it returned before, or nothing. */
  function staleAnswer(body: Body): Answer | undefined {
    if (body.IndexName === undefined || body.ExclusiveStartKey !== undefined) return undefined;
    const known = earlier.get(queryOf(body));
    if (known && world.now() - known.at < longestLag) return known.answer;
    return body.IndexName === 'byDue' ? nothing : undefined;
  }

  async function perform(operation: string, body: Body, spoil: () => void): Promise<Answer> {
    if (operation === 'Query' && world.fails(2)) {
      const stale = staleAnswer(body);
      spoil();
      if (stale) return stale;
    }
    const text = JSON.stringify(body);
    for (const [shard] of text.matchAll(/[a-z]+#[0-7](?=")/g)) shards.add(shard);
    const answer = await post(operation, text);
    if (answer.statusCode !== 200) return answer;
    for (const name of writtenBy(operation, body)) {
      tables.wrote(name);
      onWrite(name);
    }
    if (operation === 'Query' && body.IndexName !== undefined) earlier.set(queryOf(body), { answer, at: world.now() });
    for (const { Put } of operation === 'PutItem' ? [{ Put: body }] : (body.TransactItems ?? []))
      if (Put?.Item && Put.TableName === tables.names.events) onEvent(Put.Item);
    return answer;
  }

  async function attempt(operation: string, body: Body, number: number): Promise<Answer> {
    const planted = plant?.request?.(operation, body, world.task()) ?? [body];
    let answer = answerOf(500, {});
    for (const each of planted) {
      const does = each.TransactItems ? 'TransactWriteItems' : each === body ? operation : 'PutItem';
      // The product would wait in real time before it sends a throttled transaction again.
      const isLast = does === 'TransactWriteItems' && number === attempts;
      answer = await world.call(`${does} ${whatOf(each)}`, (spoil) => perform(does, each, spoil), {
        throttled: isLast ? silent : throttled,
        silent,
      });
    }
    if (!plant?.answer || answer.statusCode !== 200) return answer;
    return answerOf(200, plant.answer(operation, body, JSON.parse(Buffer.from(answer.body).toString()), world.task()));
  }

  /** Of the call that a task makes, how its first attempt ended. */
  const first = new AsyncLocalStorage<Promise<Answer>>();
  const requestHandler = {
    handle: async ({ headers, body }: Sent) => {
      const number = Number(/^attempt=(\d+)/.exec(headers['amz-sdk-request'] ?? '')?.[1]);
      const known = number === 1 ? first.getStore() : undefined;
      const operation = (headers['x-amz-target'] ?? '').split('.')[1] ?? '';
      return { response: await (known ?? attempt(operation, JSON.parse(decoder.decode(body)), number)) };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
  const options = { ...quickConfig(tables.endpoint), requestHandler, retryStrategy: promptRetries } as object;
  const send = dynamoDb(options);

  // The SDK takes most of a call's CPU time, so in a life only first attempts that fail go through it.
  const sendQuickly: Call = async (operation, input) => {
    // The SDK's first call takes extra turns of the event loop, so it happens before the life.
    if (world.task() === '') return send(operation, input);
    // A retry must repeat the same transaction.
    const given = 'TransactItems' in input ? { ClientRequestToken: randomUUID(), ...input } : input;
    // As with the SDK, a call starts after everything that a move does synchronously.
    await new Promise<void>((resolve) => void process.nextTick(resolve));
    // A copy, because a planted bug may edit what it gets.
    const answer = attempt(operation, JSON.parse(JSON.stringify(given)), 1);
    const succeeded = await answer.then(
      ({ statusCode }) => statusCode === 200,
      () => false,
    );
    if (!succeeded) return first.run(answer, () => send(operation, given));
    return z.parse(outputs[operation], JSON.parse((await answer).body.toString()));
  };
  // Most shards that the sweep reads have never had a row in this life, which needs no request.
  return connect(tables.names, async (operation, input) =>
    isOfShard(input) && !shards.has(shardOf(input) ?? '') ? ({ Items: [] } as never) : sendQuickly(operation, input),
  );
}

const isOfShard = (input: object): input is Body => 'IndexName' in input && input.IndexName === 'byDue';

/** As many attempts as the SDK makes, without its waits. */
const promptRetries = {
  acquireInitialRetryToken: async () => tokenOf(0),
  async refreshRetryTokenForRetry(token: { getRetryCount(): number }, { errorType }: { errorType: string }) {
    const count = token.getRetryCount() + 1;
    if (count >= attempts || errorType === 'CLIENT_ERROR') throw new Error('no more attempts');
    return tokenOf(count);
  },
  recordSuccess() {},
};

function tokenOf(count: number) {
  return { getRetryCount: () => count, getRetryDelay: () => 0, getRetryCost: () => 0 };
}

const nothing = answerOf(200, { Items: [], Count: 0, ScannedCount: 0 });

const throttled = () =>
  answerOf(400, { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException', message: 'slow down' });

const silent = (): never => {
  throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
};

function answerOf(statusCode: number, body: object): Answer {
  return { statusCode, headers: {}, body: Buffer.from(JSON.stringify(body)) };
}

function writtenBy(operation: string, body: Body): string[] {
  const parts = body.TransactItems ? partsOf(body.TransactItems) : /^(Put|Update|Delete)/.test(operation) ? [body] : [];
  return parts.map(({ TableName }) => String(TableName));
}

function partsOf(items: readonly WriteItem[]): Part[] {
  return items.flatMap((item) => Object.values(item));
}

/** Leaves out the time bound, which grows. */
function queryOf({ TableName, IndexName, ExpressionAttributeValues }: Body): string {
  return JSON.stringify([TableName, IndexName, ExpressionAttributeValues?.[':value0']]);
}

const shardOf = (body: Body) => body.ExpressionAttributeValues?.[':value0']?.S;

function whatOf({ TransactItems = [], TableName, RequestItems = {} }: Body): string {
  const names =
    TransactItems.length > 0
      ? TransactItems.map((item) => partsOf([item])[0]?.TableName)
      : [TableName ?? Object.keys(RequestItems)[0]];
  return names.map((name = '') => name.replace(/^Data/, '').replace(/\w{8}-\d+$/, '')).join('+');
}
