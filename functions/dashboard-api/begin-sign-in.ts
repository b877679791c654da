import { randomBytes } from 'node:crypto';
import { signInRoute } from '../contract/dashboard-api/sign-in.ts';
import { beginSignIn } from '../team/begin-sign-in.ts';
import { connectIssuer } from '../team/issuer.ts';
import { signInLifetime } from '../domain/team/sign-in.ts';
import { toEpochSeconds } from '../domain/time.ts';
import { dashboardUrl, oidcClient, tableNames } from '../environment.ts';
import { setCookie } from '../http/cookies.ts';
import { redirectRoute } from '../http/redirect-route.ts';
import { secretReader } from '../messages/secrets.ts';
import { connect } from '../store/database.ts';

const url = dashboardUrl();
const { clientSecretId, ...client } = oidcClient();
const issuer = connectIssuer({ ...client, readSecret: secretReader(clientSecretId), dashboardUrl: url });
const tools = { database: connect(tableNames('signIns')), issuer, randomBytes };

export const handler = redirectRoute(signInRoute, async ({ rawQueryString }, now) => {
  const query = new URLSearchParams(rawQueryString);
  const input = { returnTo: query.get('return'), again: query.get('again') === '1' };
  const { authorizationUrl, secret } = await beginSignIn(tools, input, now);
  return { location: authorizationUrl, cookies: [setCookie('sign-in', secret, url, toEpochSeconds(signInLifetime))] };
});
