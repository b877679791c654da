import { createServer } from 'node:net';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it, describe, test } from 'vitest';
import { Problem } from '../../functions/contract/problem.ts';
import { routeNotFound } from '../../functions/contract/problems.ts';
import { awsClient } from '../../functions/aws-client.ts';
import { handlerOf } from '../../functions/http/route-handler.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { awsConfig } from '../support/answered-client.ts';
import { lambdaContext, stageVariablesOfTests, throughDistribution } from '../support/http-request.ts';
import { declared, problems } from '../support/problems.ts';
import { startServer } from '../support/server.ts';
import { signInRoutes } from '../../functions/contract/team/dashboard-sign-in.ts';
import { areaHandler, redirectRoute } from '../../functions/http/area-handler.ts';
import { clearCookie, setCookie } from '../../functions/http/cookies.ts';

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

type Redirect = Parameters<typeof redirectRoute>[1];

async function answerOf(redirect: Redirect, headers: object = throughDistribution()) {
  const event = {
    headers,
    rawPath: '/',
    rawQueryString: 'return=%2Fjoin',
    isBase64Encoded: false,
    stageVariables: stageVariablesOfTests,
    requestContext: {
      requestId: 'r',
      routeKey: 'GET /api/dashboard/sign-in',
      http: { method: 'GET', sourceIp: '192.0.2.7' },
    },
  };
  return areaHandler(redirectRoute(signInRoutes.beginSignIn, redirect))(event as never, lambdaContext());
}

test('a redirect sets its cookies and is never cached', async () => {
  const answer = await answerOf(async ({ rawQueryString }) => ({ location: `/?${rawQueryString}`, cookies: ['a=b'] }));
  expect(answer).toEqual({
    statusCode: 302,
    headers: {
      location: '/?return=%2Fjoin',
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'request-id': 'r',
    },
    cookies: ['a=b'],
    body: '',
  });
});

test('whatever goes wrong, the browser gets a page of the dashboard', async () => {
  const answer = await answerOf(async () => Promise.reject(new Error('the issuer is down')));
  expect(answer).toMatchObject({ statusCode: 302, headers: { location: '/?problem=sign_in_failed' }, cookies: [] });
});

test("a redirect works only at the dashboard's host", async () => {
  const { statusCode, body } = await answerOf(async () => ({ location: '/', cookies: ['a=b'] }), {});
  expect([statusCode, JSON.parse(body)]).toMatchObject([403, { code: 'wrong_host' }]);
});

describe('cookies', () => {
  test('over TLS, a cookie belongs to this host alone, and no script can read it', () => {
    expect(setCookie('dashboard', 'secret', 'https://dashboard.example')).toBe(
      '__Host-dashboard=secret; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
  });

  test('on a laptop without TLS, a cookie has no prefix', () => {
    expect(setCookie('sign-in-state', 'secret', 'http://127.0.0.1:4002', 600)).toBe(
      'sign-in-state=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=600',
    );
  });

  test('a cookie that is cleared has the same attributes', () => {
    expect(clearCookie('dashboard', 'https://dashboard.example')).toBe(
      '__Host-dashboard=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    );
  });
});
