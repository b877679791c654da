import { describe, expect, test } from 'vitest';
import { signInRoutes } from '../../functions/contract/team/dashboard-sign-in.ts';
import { areaHandler } from '../../functions/http/area-handler.ts';
import { redirectRoute } from '../../functions/http/redirect-route.ts';
import { lambdaContext } from '../support/http-request.ts';
import { stageVariablesOfTests, throughDistribution } from '../support/origin-secret.ts';
import { clearCookie, setCookie } from '../../functions/http/cookies.ts';

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
    headers: { location: '/?return=%2Fjoin', 'cache-control': 'no-store', 'request-id': 'r' },
    cookies: ['a=b'],
    body: '',
  });
});

test('whatever goes wrong, the browser gets a page of the dashboard', async () => {
  const answer = await answerOf(async () => Promise.reject(new Error('the issuer is down')));
  expect(answer).toMatchObject({ statusCode: 302, headers: { location: '/?problem=sign_in_failed' }, cookies: [] });
});

test("it works only at the dashboard's host", async () => {
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
    expect(setCookie('sign-in', 'secret', 'http://127.0.0.1:4002', 600)).toBe(
      'sign-in=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=600',
    );
  });

  test('a cookie that is cleared has the same attributes', () => {
    expect(clearCookie('dashboard', 'https://dashboard.example')).toBe(
      '__Host-dashboard=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    );
  });
});
