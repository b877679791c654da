import { signOutRoute } from '../contract/dashboard-api/sign-out.ts';
import { connectIssuer } from '../team/issuer.ts';
import { signOut } from '../team/sign-out.ts';
import { dashboardUrl, oidcClient, tableNames } from '../environment.ts';
import { clearCookie } from '../http/cookies.ts';
import { signedInRoute } from '../http/dashboard-route.ts';
import { secretReader } from '../messages/secrets.ts';
import { connect } from '../store/database.ts';

const url = dashboardUrl();
const { clientSecretId, ...client } = oidcClient();
const issuer = connectIssuer({ ...client, readSecret: secretReader(clientSecretId), dashboardUrl: url });
const tools = { database: connect(tableNames('dashboardSessions')), issuer, dashboardUrl: url };

export const handler = signedInRoute(tools, signOutRoute, async ({ session }, { body: { everywhere } }) => ({
  body: await signOut(tools, { session, everywhere }),
  cookies: [clearCookie('dashboard', url)],
}));
