import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { apiKey } from '../../functions/domain/practices/api-key.ts';
import { second } from '../../functions/domain/time.ts';
import { Fault, Unavailable } from '../../functions/domain/fault.ts';
import { getApiKey, recordKeyUse } from '../../functions/store/practices/api-keys.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { transact } from '../../functions/store/transact.ts';
import { getAll, scanAll, update } from '../../functions/store/rows.ts';
import { put } from '../../functions/store/writes.ts';
import { awsConfig } from '../support/answered-client.ts';
import { startServer } from '../support/server.ts';

async function answering(
  answers: { status: number; body: object }[],
  see: (request: Record<string, unknown>) => void = () => undefined,
): Promise<{ database: Database; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    void json(request).then((sent) => {
      see(sent as Record<string, unknown>);
      const { status, body } = answers[Math.min(requests, answers.length - 1)] ?? { status: 500, body: {} };
      requests += 1;
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    });
  });
  const call = dynamoDb(awsConfig(`http://127.0.0.1:${await startServer(server)}`));
  return { database: connect({ apiKeys: 'keys' }, call), requests: () => requests };
}

const cancelled = (...codes: string[]) => ({
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    // With a capital letter, unlike other errors.
    Message: 'Transaction cancelled',
    CancellationReasons: codes.map((Code) => ({ Code, Item: null })),
  },
});
const partsOf = (database: Database) => ({
  one: put(database, 'apiKeys', { keyId: 'a' }),
  none: undefined,
  other: put(database, 'apiKeys', { keyId: 'b' }),
});

/** Its time for retries never ends. */
const stopped = () => 0;

it('a table without a name is a fault that names it, and nothing is sent', async () => {
  const { database, requests } = await answering([{ status: 200, body: {} }]);
  await expect(getAll(database, 'sessions', [{ sessionId: 'ses_1' }], z.object({}))).rejects.toThrow(
    new Fault('the table sessions has no name here: it was not granted, or the stack is of another version'),
  );
  expect(() => put(database, 'sessions', { sessionId: 'ses_1' })).toThrow('the table sessions has no name here');
  expect(requests()).toBe(0);
});

describe('a transaction', () => {
  it('is retried after a conflict, and written', async () => {
    const { database, requests } = await answering([
      cancelled('TransactionConflict', 'None'),
      { status: 200, body: {} },
    ]);
    expect(await transact(database, partsOf(database))).toBeUndefined();
    expect(requests()).toBe(2);
  });

  it('ignores a failed condition next to a conflict', async () => {
    const { database } = await answering([
      cancelled('TransactionConflict', 'ConditionalCheckFailed'),
      cancelled('ConditionalCheckFailed', 'None'),
    ]);
    expect([...((await transact(database, partsOf(database))) ?? [])]).toEqual([['one', undefined]]);
  });

  it('names the part that refused, past one that was left out', async () => {
    const { database } = await answering([cancelled('None', 'ConditionalCheckFailed')]);
    expect([...((await transact(database, partsOf(database))) ?? [])]).toEqual([['other', undefined]]);
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'is unavailable if %s persists',
    async (code) => {
      const { database, requests } = await answering([cancelled(code, 'ConditionalCheckFailed')]);
      await expect(transact(database, partsOf(database), () => 0, stopped)).rejects.toThrow(Unavailable);
      expect(requests()).toBe(9);
    },
  );

  it('waits a random share of an interval that doubles', async () => {
    const waits: number[] = [];
    const { database } = await answering([
      ...Array.from({ length: 5 }, () => cancelled('ThrottlingError', 'None')),
      { status: 200, body: {} },
    ]);
    let last = performance.now();
    const random = () => {
      waits.push(performance.now() - last);
      last = performance.now();
      return 1;
    };
    await transact(database, partsOf(database), random, stopped);
    waits.push(performance.now() - last);
    for (const [retry, wait] of waits.slice(1).entries()) expect(wait).toBeGreaterThanOrEqual(10 * 2 ** retry - 1);
  });

  it('gives up while its function still has time to answer', async () => {
    let now = 0;
    const callsAt: number[] = [];
    // Each call takes long, as it does with the pauses between its own attempts.
    const { database } = await answering([cancelled('ThrottlingError', 'None')], () => {
      callsAt.push(now);
      now += 0.9 * second;
    });
    const transaction = transact(
      database,
      partsOf(database),
      () => 0,
      () => now,
    );
    await expect(transaction).rejects.toThrow(Unavailable);
    expect(callsAt).toEqual([0, 900, 1800]);
  });

  it('stays the same transaction until it is known to be cancelled', async () => {
    const tokens: unknown[] = [];
    const answers = [
      { status: 500, body: { __type: 'InternalServerError' } },
      { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#TransactionInProgressException' } },
      cancelled('ThrottlingError', 'None'),
      { status: 200, body: {} },
    ];
    const { database } = await answering(answers, ({ ClientRequestToken }) => tokens.push(ClientRequestToken));
    await transact(database, partsOf(database), () => 0, stopped);
    expect(tokens).toHaveLength(answers.length);
    expect(new Set(tokens.slice(0, 3)).size).toBe(1);
    expect(tokens[3]).not.toBe(tokens[2]);
  });

  it('stays the same transaction while its calls are throttled', async () => {
    const tokens: unknown[] = [];
    const throttled = { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException' } };
    const { database } = await answering([throttled, throttled, { status: 200, body: {} }], ({ ClientRequestToken }) =>
      tokens.push(ClientRequestToken),
    );
    await transact(database, partsOf(database), () => 0);
    expect(new Set(tokens).size).toBe(1);
  });

  it('throws what is not an answer as it is', async () => {
    const { database } = await answering([{ status: 400, body: { __type: 'ValidationException', message: 'wrong' } }]);
    await expect(transact(database, partsOf(database))).rejects.toThrow('wrong');
    const unanswered = connect({ apiKeys: 'keys' }, () => Promise.reject(new Error('no answer')));
    await expect(transact(unanswered, partsOf(unanswered))).rejects.toThrow('no answer');
  });

  it('throws if it is cancelled for another reason', async () => {
    const { database, requests } = await answering([cancelled('ValidationError', 'None')]);
    await expect(transact(database, partsOf(database))).rejects.toThrow('Transaction cancelled');
    expect(requests()).toBe(1);
  });
});

describe('reads of many rows', () => {
  const keyRow = (keyId: string) => ({ keyId: { S: keyId } });
  const row = z.object({ keyId: z.string() });

  it('ask again for the keys that DynamoDB left out', async () => {
    const asked: unknown[] = [];
    const { database } = await answering(
      [
        {
          status: 200,
          body: { Responses: { keys: [keyRow('a')] }, UnprocessedKeys: { keys: { Keys: [keyRow('b')] } } },
        },
        { status: 200, body: { Responses: { keys: [keyRow('b')] } } },
      ],
      ({ RequestItems }) => asked.push((RequestItems as { keys: { Keys: unknown } }).keys.Keys),
    );
    const rows = await getAll(database, 'apiKeys', [{ keyId: 'a' }, { keyId: 'b' }], row);
    expect(rows).toEqual([{ keyId: 'a' }, { keyId: 'b' }]);
    expect(asked).toEqual([[keyRow('a'), keyRow('b')], [keyRow('b')]]);
  });

  it('continue after the last key of a page', async () => {
    const starts: unknown[] = [];
    const { database } = await answering(
      [
        { status: 200, body: { Items: [keyRow('a')], LastEvaluatedKey: keyRow('a') } },
        { status: 200, body: { Items: [keyRow('b')] } },
      ],
      ({ ExclusiveStartKey }) => starts.push(ExclusiveStartKey),
    );
    expect(await scanAll(database, 'apiKeys', row)).toEqual([{ keyId: 'a' }, { keyId: 'b' }]);
    expect(starts).toEqual([undefined, keyRow('a')]);
  });
});

describe('a single write', () => {
  it('is retried after a conflict with a transaction', async () => {
    const conflict = {
      status: 400,
      body: { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message: 'conflict' },
    };
    const { database, requests } = await answering([
      conflict,
      {
        status: 400,
        body: { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', message: 'no' },
      },
    ]);
    await recordKeyUse(database, 'key', '2026-11-20');
    expect(requests()).toBe(2);
  });

  it('is unavailable, not refused, if its condition may fail because of its own first attempt', async () => {
    const refused = {
      status: 400,
      body: { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', message: 'no' },
    };
    const { database, requests } = await answering([{ status: 500, body: { __type: 'InternalServerError' } }, refused]);
    const write = () => update(database, 'apiKeys', { keyId: 'key' }, { set: { lastUsedOn: '2026-11-20' } }, apiKey);
    await expect(write()).rejects.toThrow(Unavailable);
    expect(requests()).toBe(2);
    expect(await write()).toMatchObject({ written: false });
  });

  it('finds no row for an unknown key', async () => {
    const { database } = await answering([{ status: 200, body: {} }]);
    expect(await getApiKey(database, 'key')).toBeUndefined();
  });
});
