import { randomBytes } from 'node:crypto';
import { pageAfterSignIn, problemPage, signInRoutes } from '../contract/team/dashboard-sign-in.ts';
import { signInLifetime } from '../domain/team/sign-in.ts';
import { toEpochSeconds } from '../domain/time.ts';
import { dashboardUrl, oidcClient, tableNames } from '../environment.ts';
import { areaHandler, redirectRoute } from '../http/area-handler.ts';
import { clearCookie, oldSignIns, readCookie, setCookie } from '../http/cookies.ts';
import { signedInRoute } from '../http/dashboard-route.ts';
import { logInfo } from '../log.ts';
import { secretReader } from '../messages/secrets.ts';
import { connect } from '../store/database.ts';
import { beginSignIn, signOut, finishSignIn } from '../team/sign-in.ts';
import { connectIssuer } from '../team/issuer.ts';

const url = dashboardUrl();
const { clientSecretId, ...client } = oidcClient();
const tools = {
  database: connect(tableNames()),
  issuer: connectIssuer({ ...client, readSecret: secretReader(clientSecretId), dashboardUrl: url }),
  dashboardUrl: url,
  randomBytes,
};

export const handler = areaHandler(
  redirectRoute(signInRoutes.beginSignIn, async (request, now) => {
    const query = new URLSearchParams(request.rawQueryString);
    const input = { returnTo: query.get('return'), again: query.get('again') === '1' };
    const { authorizationUrl, state, secret } = await beginSignIn(tools, input, now);
    return {
      location: authorizationUrl,
      cookies: [
        setCookie(`sign-in-${state}`, secret, url, toEpochSeconds(signInLifetime)),
        ...oldSignIns(request, url).map((name) => clearCookie(name, url)),
      ],
    };
  }),
  redirectRoute(signInRoutes.finishSignIn, async (request, now) => {
    const state = new URLSearchParams(request.rawQueryString).get('state') ?? '';
    const input = {
      query: request.rawQueryString,
      signInSecret: readCookie(request, `sign-in-${state}`, url),
      sessionSecret: readCookie(request, 'dashboard', url),
    };
    const finished = await finishSignIn(tools, input, now);
    switch (finished.kind) {
      case 'signed_in':
        return {
          location: pageAfterSignIn(finished.returnTo),
          cookies: [clearCookie(`sign-in-${state}`, url), setCookie('dashboard', finished.secret, url)],
        };
      case 'already_signed_in':
        return { location: pageAfterSignIn('/'), cookies: [] };
      case 'not_signed_in':
        // Ignores sign-ins that never began in this browser: anybody can call this address.
        if (finished.over)
          logInfo('sign-in failed', { problem: finished.problem }, [
            { metric: 'FailedSignIns', value: 1, by: finished.problem },
          ]);
        return {
          location: problemPage(finished.problem),
          cookies: finished.over ? [clearCookie(`sign-in-${state}`, url)] : [],
        };
    }
  }),
  signedInRoute(tools, signInRoutes.signOut, async ({ session }, { body: { everywhere } }, { cookies }) => {
    const signedOut = await signOut(tools, { session, everywhere });
    cookies.push(clearCookie('dashboard', url));
    return signedOut;
  }),
);
