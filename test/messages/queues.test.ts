import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { ticketSender } from '../../functions/messages/queues.ts';
import { awsConfig } from '../support/answered-client.ts';
import { startServer } from '../support/server.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds: number;
  readonly MessageGroupId?: string;
}

const calls: Entry[][] = [];
const refused = new Set<string>();
const server = createServer(async (request, response) => {
  const { Entries } = (await json(request)) as { Entries: Entry[] };
  calls.push(Entries);
  const [bad, good] = [
    Entries.filter(({ MessageBody }) => refused.has(MessageBody)),
    Entries.filter(({ MessageBody }) => !refused.has(MessageBody)),
  ];
  response.setHeader('content-type', 'application/x-amz-json-1.0').end(
    JSON.stringify({
      Successful: good.map(({ Id, MessageBody }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
      })),
      Failed: bad.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
    }),
  );
});

const client = new SQSClient(awsConfig(`http://127.0.0.1:${await startServer(server, afterAll)}`));
beforeEach(() => {
  calls.length = 0;
  refused.clear();
});

const send = (tickets: Parameters<ReturnType<typeof ticketSender>>[0]) =>
  ticketSender('http://127.0.0.1/queue', client)(tickets);
const tickets = (count: number) => Array.from({ length: count }, (_, index) => ({ body: { eventId: `e${index}` } }));

// A successful call may hide rejections: https://github.com/segmentio/action-destinations/pull/2828
it('a rejected ticket is a fault, although the call succeeded', async () => {
  refused.add('{"eventId":"e2"}');
  await expect(send(tickets(10))).rejects.toThrow('1 tickets were rejected: InternalError');
  await expect(send(tickets(2))).resolves.toBeUndefined();
});

it('tickets are sent ten at a time, with unique ids', async () => {
  await send(tickets(23));
  expect(calls.map((entries) => entries.length)).toEqual([10, 10, 3]);
  expect(calls.flat().map(({ MessageBody }) => MessageBody)).toEqual(
    tickets(23).map(({ body }) => JSON.stringify(body)),
  );
  for (const entries of calls) expect(new Set(entries.map(({ Id }) => Id)).size).toBe(entries.length);
});

it('a delay is rounded up to seconds and capped at the 15 minutes of SQS', async () => {
  await send(
    [undefined, 0, -5, 1, 5000, 5001, 900_000, 900_001, 86_400_000].map((delay) => ({
      body: {},
      ...(delay !== undefined && { delay }),
    })),
  );
  expect(calls.flat().map(({ DelaySeconds }) => DelaySeconds)).toEqual([0, 0, 0, 1, 5, 6, 900, 900, 900]);
});

it('a ticket has the group id it is given', async () => {
  await send([{ body: {}, groupId: 'whe_1' }, { body: {} }]);
  expect(calls.flat().map(({ MessageGroupId }) => MessageGroupId)).toEqual(['whe_1', undefined]);
});

it('nothing is sent without a ticket', async () => {
  await send([]);
  expect(calls).toEqual([]);
});
