import { getHomeRoute } from '../contract/dashboard-api/get-home.ts';
import { getHome } from '../team/home.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const database = connect(
  tableNames('dashboardSessions', 'members', 'practices', 'apiKeys', 'webhookEndpoints', 'sessions'),
);
const tools = { database, dashboardUrl: dashboardUrl(), mode: builtForMode };

export const handler = memberRoute(tools, getHomeRoute, async ({ practiceId }, _request, { now }) => ({
  body: await getHome(tools, { practiceId }, now),
}));
