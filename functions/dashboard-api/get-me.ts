import { meRoute } from '../contract/dashboard-api/me.ts';
import { getMe } from '../team/me.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { signedInRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'practices')),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
};

export const handler = signedInRoute(tools, meRoute, async ({ session }) => ({ body: await getMe(tools, session) }));
