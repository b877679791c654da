import { changeAlertsRoute } from '../contract/dashboard-api/change-alerts.ts';
import { changeAlerts } from '../dashboard/members.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames('dashboardSessions', 'members')), dashboardUrl: dashboardUrl() };

export const handler = memberRoute(
  tools,
  changeAlertsRoute,
  async ({ practiceId, userId }, { body: { wantsAlerts } }) => ({
    body: await changeAlerts(tools, { practiceId, userId, wantsAlerts }),
  }),
);
