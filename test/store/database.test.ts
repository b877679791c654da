import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { getApiKey, recordKeyUse } from '../../functions/store/api-keys.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { transact } from '../../functions/store/transact.ts';
import { put } from '../../functions/store/writes.ts';
import { awsConfig } from '../support/aws.ts';
import { startServer } from '../support/server.ts';

async function answering(
  answers: { status: number; body: object }[],
): Promise<{ database: Database<'apiKeys'>; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { status, body } = answers[Math.min(requests, answers.length - 1)] ?? { status: 500, body: {} };
      requests += 1;
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    });
  });
  const client = new DynamoDBClient(awsConfig(`http://127.0.0.1:${await startServer(server)}`));
  return { database: connect({ apiKeys: 'keys' }, client), requests: () => requests };
}

const cancelled = (...codes: string[]) => ({
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  },
});
const partsOf = (database: Database<'apiKeys'>) => ({
  one: put(database, 'apiKeys', { keyId: 'a' }),
  none: undefined,
  other: put(database, 'apiKeys', { keyId: 'b' }),
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

  it('throws if the conflicts persist', async () => {
    const { database, requests } = await answering([cancelled('TransactionConflict', 'ConditionalCheckFailed')]);
    await expect(transact(database, partsOf(database))).rejects.toThrow();
    expect(requests()).toBe(7);
  });

  it('throws if it is cancelled for another reason', async () => {
    const { database, requests } = await answering([cancelled('ValidationError', 'None')]);
    await expect(transact(database, partsOf(database))).rejects.toThrow();
    expect(requests()).toBe(1);
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

  it('finds no key where there is none', async () => {
    const { database } = await answering([{ status: 200, body: {} }]);
    expect(await getApiKey(database, 'key')).toBeUndefined();
  });
});
