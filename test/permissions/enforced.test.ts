import { createServer, request as httpRequest, Agent } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { requestName } from '../../lib/local/permissions/access-requests.ts';
import { createGate } from '../../lib/local/permissions/gate.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A function that may read the table, and do nothing else. */
const template = {
  Resources: {
    Reader: {
      Type: 'AWS::Lambda::Function',
      Properties: { Runtime: 'nodejs24.x', Role: { 'Fn::GetAtt': ['ReaderRole', 'Arn'] } },
    },
    ReaderRole: { Type: 'AWS::IAM::Role' },
    ReaderPolicy: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        Roles: [{ Ref: 'ReaderRole' }],
        PolicyDocument: {
          Statement: [{ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: { 'Fn::GetAtt': ['Rows', 'Arn'] } }],
        },
      },
    },
    Rows: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { Replicas: [{ Region: 'us-east-1' }] } },
  },
};
const read = { operation: 'GetItem', body: JSON.stringify({ TableName: 'Rows' }) };
const put = { operation: 'PutItem', body: JSON.stringify({ TableName: 'Rows' }) };
const transaction = {
  operation: 'TransactWriteItems',
  body: JSON.stringify({ TransactItems: [{ Put: { TableName: 'Rows' } }] }),
};
type Request = typeof read;

const headersOf = ({ operation }: Request) => ({
  authorization: 'AWS4-HMAC-SHA256 Credential=Reader/20261120/us-east-1/dynamodb/aws4_request',
  'x-amz-target': `DynamoDB_20120810.${operation}`,
});

async function start() {
  const reached: string[] = [];
  const database = createServer(async (incoming, outgoing) => {
    reached.push(`${String(incoming.headers['x-amz-target'])} ${await text(incoming)}`);
    outgoing.end('{}');
  });
  const port = await startServer(database);
  const refused: string[] = [];
  const gate = createGate(template, {
    onDecision: (decision) => void refused.push(...decision.refused.map(requestName)),
  });
  onTestFinished(() => gate.close());
  const endpoint = await gate.open(`http://127.0.0.1:${port}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = (
    request: Request,
    lengths: Record<string, string> = { 'content-length': String(Buffer.byteLength(request.body)) },
  ) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = { ...headersOf(request), ...lengths };
      httpRequest(endpoint, { method: 'POST', headers, agent }, (response) => {
        buffer(response).then((body) => resolve({ status: response.statusCode, body: String(body) }), reject);
      })
        .on('error', reject)
        .end(request.body);
    });
  return { endpoint, reached, refused, send };
}

it('what a role does not allow never reaches the database, also between what it allows on one connection', async () => {
  const { reached, refused, send } = await start();
  for (const forbidden of [put, transaction]) {
    expect(await send(read)).toEqual({ status: 200, body: '{}' });
    const answer = await send(forbidden);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('AccessDeniedException');
  }
  expect(reached).toEqual(Array(2).fill(`DynamoDB_20120810.GetItem ${read.body}`));
  expect(refused).toEqual(Array(2).fill('dynamodb:PutItem on Rows'));
});

it('a request that does not tell its length never reaches the database', async () => {
  const { reached, send } = await start();
  for (const request of [read, put, transaction])
    await expect(send(request, { 'transfer-encoding': 'chunked' })).rejects.toThrow();
  expect(reached).toEqual([]);
});

it('each of several requests at once is looked at, however their bytes are cut', async () => {
  const { endpoint, reached } = await start();
  const bytes = [read, transaction, read, put].map((request) => {
    const head = Object.entries(headersOf(request)).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST / HTTP/1.1\r\nhost: x\r\n${head.join('')}Content-Length: ${request.body.length}\r\n\r\n${request.body}`;
  });
  const all = bytes.join('');
  for (const size of [7, 100, all.length]) {
    reached.length = 0;
    const socket = connect({ port: Number(new URL(endpoint).port), host: '127.0.0.1', noDelay: true });
    let answered = '';
    socket.on('data', (chunk) => (answered += String(chunk)));
    for (let at = 0; at < all.length; at += size)
      await new Promise<void>((resolve) => void socket.write(all.slice(at, at + size), () => resolve()));
    await until(() => answered.split('HTTP/1.1 ').length === 5);
    socket.destroy();
    expect(answered.split('AccessDeniedException')).toHaveLength(3);
    expect(reached).toEqual(Array(2).fill(`DynamoDB_20120810.GetItem ${read.body}`));
  }
});
