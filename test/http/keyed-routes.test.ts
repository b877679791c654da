import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, it, afterEach, vi } from 'vitest';
import { practiceRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import { generateApiKey } from '../../functions/domain/practices/api-key.ts';
import { practiceRoute } from '../../functions/http/practice-route.ts';
import { connect } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { awsConfig } from '../support/answered-client.ts';
import { lambdaContext, stageVariablesOfTests, throughDistribution } from '../support/http-request.ts';
import { startServer } from '../support/server.ts';
import { hashOfToken, sessionToken } from '../../functions/domain/identifier.ts';
import { patientRoute } from '../../functions/http/patient-route.ts';
import { insertSession } from '../../functions/store/sessions/sessions.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

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
  vi.stubEnv('LOG_LEVEL', 'INFO');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const event = {
    headers: { ...throughDistribution(), authorization: `Bearer ${token}` },
    rawPath: '/',
    rawQueryString: '',
    isBase64Encoded: false,
    stageVariables: stageVariablesOfTests,
    requestContext: { requestId: 'r', routeKey: 'GET /x', http: { method: 'GET', sourceIp: '127.0.0.1' } },
  };
  const { statusCode } = await getSession(event as never, lambdaContext());
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
  expect(statusCode).toBe(500);
  expect(lines.find(({ message }) => message === 'request')).toMatchObject({
    problem: 'internal_error',
    sessionId: session.sessionId,
  });
});
