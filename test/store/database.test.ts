import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connect, transactWrite, type Database } from '../../functions/store/database.ts';
import { getApiKey, revokeApiKey } from '../../functions/store/api-keys.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A DynamoDB that answers each request with the next of these, and counts them. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close().closeAllConnections());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
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
const put = { Put: { TableName: 'keys', Item: { keyId: 'a' } } };

describe('a transaction', () => {
  it('is tried again after a conflict, and written', async () => {
    const { database, requests } = await answering([
      cancelled('TransactionConflict', 'None'),
      { status: 200, body: {} },
    ]);
    expect(await transactWrite(database, [put, put])).toBeUndefined();
    expect(requests()).toBe(2);
  });

  it('does not take a failed condition beside a conflict for an answer', async () => {
    const { database } = await answering([
      cancelled('TransactionConflict', 'ConditionalCheckFailed'),
      cancelled('ConditionalCheckFailed', 'None'),
    ]);
    expect(await transactWrite(database, [put, put])).toEqual([
      { conditionFailed: true, row: undefined },
      { conditionFailed: false, row: undefined },
    ]);
  });

  it('ends as a fault when the conflicts do not', async () => {
    const { database, requests } = await answering([cancelled('TransactionConflict')]);
    await expect(transactWrite(database, [put])).rejects.toThrow();
    expect(requests()).toBe(7);
  });
});

describe('a single write', () => {
  it('that meets a transaction is tried again', async () => {
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
    expect(await revokeApiKey(database, 'prc', 'key', '2026-11-20T10:00:00.000Z')).toBeUndefined();
    expect(requests()).toBe(2);
  });

  it('reads a key as absent where there is none', async () => {
    const { database } = await answering([{ status: 200, body: {} }]);
    expect(await getApiKey(database, 'key')).toBeUndefined();
  });
});
