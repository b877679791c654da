import { randomBytes } from 'node:crypto';
import { callbackRoute, pageAfterSignIn, problemPage } from '../contract/dashboard-api/callback.ts';
import { finishSignIn } from '../team/finish-sign-in.ts';
import { connectIssuer } from '../team/issuer.ts';
import { dashboardUrl, oidcClient, tableNames } from '../environment.ts';
import { clearCookie, readCookie, setCookie } from '../http/cookies.ts';
import { redirectRoute } from '../http/redirect-route.ts';
import { secretReader } from '../messages/secrets.ts';
import { connect } from '../store/database.ts';

const url = dashboardUrl();
const { clientSecretId, ...client } = oidcClient();
const issuer = connectIssuer({ ...client, readSecret: secretReader(clientSecretId), dashboardUrl: url });
const tools = { database: connect(tableNames('signIns', 'dashboardSessions')), issuer, randomBytes };

export const handler = redirectRoute(callbackRoute, async (request, now) => {
  const input = {
    query: request.rawQueryString,
    signInSecret: readCookie(request, 'sign-in', url),
    sessionSecret: readCookie(request, 'dashboard', url),
  };
  const finished = await finishSignIn(tools, input, now);
  switch (finished.kind) {
    case 'signed_in':
      return {
        location: pageAfterSignIn(finished.returnTo),
        cookies: [clearCookie('sign-in', url), setCookie('dashboard', finished.secret, url)],
      };
    case 'not_signed_in':
      return {
        location: problemPage(finished.problem),
        cookies: finished.over ? [clearCookie('sign-in', url)] : [],
      };
  }
});
