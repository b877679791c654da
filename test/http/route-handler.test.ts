import { createServer as createSocketServer } from 'node:net';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it, describe, test, afterEach, vi } from 'vitest';
import { Problem } from '../../functions/contract/problem.ts';
import { routeNotFound } from '../../functions/contract/problems.ts';
import { awsClient } from '../../functions/aws-client.ts';
import { handlerOf } from '../../functions/http/route-handler.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { signInRoutes } from '../../functions/contract/team/dashboard-sign-in.ts';
import { areaHandler, redirectRoute } from '../../functions/http/area-handler.ts';
import { clearCookie, setCookie } from '../../functions/http/cookies.ts';
import { practiceRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import { generateApiKey } from '../../functions/domain/practices/api-key.ts';
import { practiceRoute } from '../../functions/http/practice-route.ts';
import { connect } from '../../functions/store/database.ts';
import { hashOfToken, sessionToken } from '../../functions/domain/identifier.ts';
import { patientRoute } from '../../functions/http/patient-route.ts';
import { insertSession } from '../../functions/store/sessions/sessions.ts';
import { awsConfig } from '../support/answered-client.ts';
import { lambdaContext, stageVariablesOfTests, throughDistribution } from '../support/http-request.ts';
import { loggedBy } from '../support/logged.ts';
import { declared, problems } from '../support/problems.ts';
import { startServer } from '../support/server.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

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

it.concurrent.for([
  ['DynamoDB', (endpoint: string) => dynamoDb(awsConfig(endpoint))('Scan', { TableName: 'table' })],
  [
    'another service',
    (endpoint: string) => new SQSClient({ ...awsClient, ...awsConfig(endpoint) }).send(new ListQueuesCommand()),
  ],
] as const)(
  'a handler that waits for %s answers 503 before it times out, however many calls it makes',
  async ([, ask], context) => {
    const endpoint = `http://127.0.0.1:${await startServer(createSocketServer(), context.onTestFinished)}`;
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
    context.expect([statusCode, headers['retry-after']]).toEqual([503, '2']);
    context.expect(performance.now() - startedAt).toBeLessThan(4000);
  },
);

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

async function aRoute() {
  let reads = 0;
  const server = createServer((request, response) => {
    reads += 1;
    request
      .resume()
      .on('end', () => response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}'));
  });
  const call = dynamoDb(awsConfig(`http://127.0.0.1:${await startServer(server)}`));
  const handler = practiceRoute(
    { database: connect({ apiKeys: 'keys', practices: 'practices', rateLimits: 'limits' }, call), mode: 'sandbox' },
    practiceRoutes.listSessions,
    async () => ({ data: [], nextCursor: null }),
  );
  return {
    reads: () => reads,
    async codeFor(authorization: string) {
      const event = {
        headers: { authorization },
        rawPath: '/',
        rawQueryString: '',
        isBase64Encoded: false,
        requestContext: { requestId: 'r', routeKey: 'x', http: { method: 'GET', sourceIp: '127.0.0.1' } },
      };
      const { body } = await handler(event as never, lambdaContext());
      return (JSON.parse(body) as { code: string }).code;
    },
  };
}

it('a mistyped or missing key, or one for the other mode, is rejected without a read', async () => {
  const { codeFor, reads } = await aRoute();
  const { apiKey } = generateApiKey('sandbox', randomBytes);
  const mistyped = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a');
  expect(await codeFor(`Bearer ${mistyped}`)).toBe('api_key_invalid');
  expect(await codeFor('')).toBe('api_key_missing');
  expect(await codeFor(`Bearer ${generateApiKey('live', randomBytes).apiKey}`)).toBe('api_key_wrong_mode');
  expect(reads()).toBe(0);
});

it('a well-formed key costs one read', async () => {
  const { codeFor, reads } = await aRoute();
  expect(await codeFor(`Bearer ${generateApiKey('sandbox', randomBytes).apiKey}`)).toBe('api_key_invalid');
  expect(reads()).toBe(1);
});

const { database } = await startTestTables();
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('a link whose practice is missing is our error, and its log line names the session', async () => {
  const session = aSession({ practiceId: 'prc_missing' });
  const token = sessionToken(session.sessionId, randomBytes);
  await insertSession(
    database,
    { ...session, tokenHash: hashOfToken(token) },
    undefined,
    Date.parse(session.createdAt),
  );
  const getSession = patientRoute({ database, mode: 'sandbox' }, patientRoutes.getSession, async () => session);
  const event = {
    headers: { ...throughDistribution(), authorization: `Bearer ${token}` },
    rawPath: '/',
    rawQueryString: '',
    isBase64Encoded: false,
    stageVariables: stageVariablesOfTests,
    requestContext: { requestId: 'r', routeKey: 'GET /x', http: { method: 'GET', sourceIp: '127.0.0.1' } },
  };
  const lines = await loggedBy(async () =>
    expect(await getSession(event as never, lambdaContext())).toMatchObject({ statusCode: 500 }),
  );
  expect(lines.find(({ message }) => message === 'request')).toMatchObject({
    problem: 'internal_error',
    sessionId: session.sessionId,
  });
});
