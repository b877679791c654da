import { createServer } from 'node:net';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { Problem } from '../../functions/contract/problem.ts';
import { routeNotFound } from '../../functions/contract/problems.ts';
import { awsClient } from '../../functions/aws-client.ts';
import { handlerOf } from '../../functions/http/route-handler.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { awsConfig } from '../support/answered-client.ts';
import { lambdaContext } from '../support/http-request.ts';
import { declared, problems } from '../support/problems.ts';
import { startServer } from '../support/server.ts';

const event = {
  headers: {},
  rawPath: '/',
  rawQueryString: '',
  isBase64Encoded: false,
  requestContext: { requestId: 'r', routeKey: '$default', http: { method: 'GET', sourceIp: '127.0.0.1' } },
};

async function codeOf(sent: unknown, thrown: unknown) {
  const handler = handlerOf(() => ({ problems: routeNotFound, respond: () => Promise.reject(thrown) }));
  const { statusCode, body } = await handler(sent as never, lambdaContext());
  return [statusCode, (JSON.parse(body) as { code: string }).code];
}

it('a Problem that the route declares keeps its status and code; anything else is an internal error', async () => {
  expect(await codeOf(event, new Problem('route_not_found', ''))).toEqual([404, 'route_not_found']);
  expect(await codeOf(event, new Problem('link_not_found', ''))).toEqual([500, 'internal_error']);
  expect(await codeOf(event, new Error('anything'))).toEqual([500, 'internal_error']);
});

it('an event that is not an HTTP request is an internal error', async () => {
  expect(await codeOf({}, new Problem('route_not_found', ''))).toEqual([500, 'internal_error']);
});

it.each([
  ['DynamoDB', (endpoint: string) => dynamoDb(awsConfig(endpoint))('Scan', { TableName: 'table' })],
  [
    'another service',
    (endpoint: string) => new SQSClient({ ...awsClient, ...awsConfig(endpoint) }).send(new ListQueuesCommand()),
  ],
])('a handler that waits for %s answers 503 before it times out, however many calls it makes', async (_, ask) => {
  const endpoint = `http://127.0.0.1:${await startServer(createServer())}`;
  const handler = handlerOf(() => ({
    problems: routeNotFound,
    async respond() {
      for (let calls = 0; calls < 6; calls += 1) await ask(endpoint).catch(() => undefined);
      await ask(endpoint);
      throw new Error('a server that says nothing has answered');
    },
  }));
  const startedAt = performance.now();
  const { statusCode, headers } = await handler(event as never, lambdaContext(4000));
  expect([statusCode, headers['retry-after']]).toEqual([503, '2']);
  expect(performance.now() - startedAt).toBeLessThan(4000);
});

it('no code stands for two problems', () => {
  for (const each of declared) expect(problems).toMatchObject(each);
});
