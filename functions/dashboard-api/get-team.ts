import { getTeamRoute } from '../contract/dashboard-api/get-team.ts';
import { getTeam } from '../team/team.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'invitations'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, getTeamRoute, async ({ practiceId, userId }, _request, { now }) => ({
  body: await getTeam(tools, { practiceId, userId }, now),
}));
