import { randomBytes } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { patientRoutes } from '../../functions/contract/patient-routes.ts';
import { hashOfToken, sessionToken } from '../../functions/domain/identifier.ts';
import { patientRoute } from '../../functions/http/patient-route.ts';
import { insertSession } from '../../functions/store/sessions/sessions.ts';
import { aSession } from '../support/examples.ts';
import { lambdaContext } from '../support/http-request.ts';
import { stageVariablesOfTests, throughDistribution } from '../support/origin-secret.ts';
import { startTestTables } from '../support/tables.ts';

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
